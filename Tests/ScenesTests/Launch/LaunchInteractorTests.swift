import Models
import Testing
import Workers

@testable import Scenes

@MainActor
private final class PresenterSpy: LaunchPresentationLogic {
    var calls: [Launch.Resume.Response] = []
    func presentResume(response: Launch.Resume.Response) { calls.append(response) }
}

@MainActor
@Suite("LaunchInteractor")
struct LaunchInteractorTests {
    private let presenter = PresenterSpy()
    private let users = UsersWorkerSpy()
    private let interactor: LaunchInteractor

    init() { interactor = LaunchInteractor(presenter: presenter, users: users) }

    private func resume(_ resumed: ResumedSession) async {
        users.resumed = resumed
        await interactor.resume(request: .init())
    }

    @Test("a session that holds is taken up without a login")
    func valid() async {
        await resume(.valid(Fixture.session()))

        #expect(presenter.calls == [.init(outcome: .signedIn)])
        #expect(interactor.session == Fixture.session())
        #expect(interactor.fault == nil)
        #expect(users.calls == [.resume])
    }

    @Test("a network fault is no logout: the session is kept and the reason passed on")
    func offline() async {
        await resume(.offline(Fixture.session(), .unreachable))

        #expect(presenter.calls == [.init(outcome: .offline(.unreachable))])
        #expect(interactor.session == Fixture.session())
        #expect(interactor.fault == .unreachable)
    }

    @Test("without a session nobody is signed in")
    func none() async {
        await resume(.none)

        #expect(presenter.calls == [.init(outcome: .signedOut)])
        #expect(interactor.session == nil)
        #expect(interactor.loginReason == nil)
    }

    @Test(
        "a refused session leads to a login with the reason",
        arguments: [
            (ResumedSession.ended, Launch.Resume.Response.Outcome.ended, Login.Reason.sessionEnded),
            (.expired, .expired, .sessionExpired),
        ])
    func refused(
        _ resumed: ResumedSession, _ outcome: Launch.Resume.Response.Outcome, _ reason: Login.Reason
    ) async {
        await resume(resumed)

        #expect(presenter.calls == [.init(outcome: outcome)])
        #expect(interactor.loginReason == reason)
        #expect(interactor.session == nil)
    }

    @Test("a session file that cannot be read is told")
    func unreadable() async {
        await resume(.unreadable("session.json is cut short"))

        #expect(presenter.calls == [.init(outcome: .unreadable("session.json is cut short"))])
        #expect(interactor.session == nil)
    }
}
