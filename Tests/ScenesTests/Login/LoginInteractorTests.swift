import Models
import Testing
import Workers

@testable import Scenes

@MainActor
private final class PresenterSpy: LoginPresentationLogic {
    enum Call: Equatable {
        case start(Login.Start.Response)
        case account(Login.Account.Response.Progress)
    }

    var calls: [Call] = []
    func presentStart(response: Login.Start.Response) { calls.append(.start(response)) }
    func presentAccount(response: Login.Account.Response) { calls.append(.account(response.progress)) }
}

@MainActor
@Suite("LoginInteractor")
struct LoginInteractorTests {
    private let presenter = PresenterSpy()
    private let users = UsersWorkerSpy()
    private let time = VirtualTime()
    private let interactor: LoginInteractor

    init() {
        interactor = LoginInteractor(presenter: presenter, users: users, environment: time.environment)
    }

    private func login(_ identity: String = "alice@words.test", _ password: String = "secret-one") async {
        await interactor.login(request: .init(identity: identity, password: Secret(password)))
    }

    @Test("the scene says why one is here")
    func start() async {
        interactor.reason = .sessionEnded

        await interactor.start(request: .init())

        #expect(presenter.calls == [.start(.init(reason: .sessionEnded))])
    }

    @Test("right credentials sign in, and the session is kept for the next scene")
    func signsIn() async {
        await login()

        #expect(presenter.calls == [.account(.busy), .account(.signedIn)])
        #expect(users.calls == [.login(identity: "alice@words.test", password: Secret("secret-one"))])
        #expect(interactor.session == Fixture.session())
    }

    @Test("the address is folded as at signup, the password is not")
    func folds() async {
        await login(" Alice@Words.TEST\n", " Secret ")

        #expect(users.calls == [.login(identity: "alice@words.test", password: Secret(" Secret "))])
    }

    @Test("what cannot be right is told without asking the server")
    func unfit() async {
        await login("alice@", "")

        #expect(presenter.calls == [.account(.unfit([.identity: .malformedEmail, .password: .missing]))])
        #expect(users.calls.isEmpty)
    }

    @Test("a wrong password shows the reason and stays; the next try is free")
    func wrongPassword() async {
        users.sessions = [.failure(.wrongCredentials("No.")), .success(Fixture.session())]

        await login()

        #expect(presenter.calls == [.account(.busy), .account(.failed(.wrongCredentials("No.")))])
        #expect(interactor.session == nil)

        await login()

        #expect(presenter.calls.suffix(2) == [.account(.busy), .account(.signedIn)])
    }

    @Test("a short wait is waited out: said at once, tried again by itself")
    func waits() async {
        users.sessions = [.failure(.limited(retryAfter: .seconds(2))), .success(Fixture.session())]

        await login()

        #expect(presenter.calls == [.account(.busy), .account(.waiting(.seconds(2)))])
        #expect(time.environment.activity.isIdle)

        await time.advance(.milliseconds(1_999))

        #expect(users.calls.count == 1)

        await time.advance(.milliseconds(1))

        #expect(users.calls.count == 2)
        #expect(presenter.calls.last == .account(.signedIn))
    }

    @Test("a long wait is said and nothing is tried by itself")
    func refusesToWait() async {
        users.sessions = [.failure(.limited(retryAfter: .seconds(31)))]

        await login()
        await time.advance(.seconds(60))

        #expect(presenter.calls.last == .account(.failed(.limited(retryAfter: .seconds(31)))))
        #expect(users.calls.count == 1)
    }

    @Test("a server that always asks to wait gets a bounded number of requests")
    func bounded() async {
        users.sessions = [.failure(.limited(retryAfter: .seconds(1)))]

        await login()
        await time.advance(.seconds(60))

        #expect(users.calls.count == 6)
        #expect(presenter.calls.last == .account(.failed(.limited(retryAfter: .seconds(1)))))
    }

    @Test("while busy nothing else is asked")
    func busy() async {
        users.sessions = [.failure(.limited(retryAfter: .seconds(2)))]
        await login()

        await login()

        #expect(users.calls.count == 1)
    }

    @Test("leaving ends the waiting")
    func leaving() async {
        users.sessions = [.failure(.limited(retryAfter: .seconds(2)))]
        await login()

        interactor.leave()
        await time.advance(.seconds(60))

        #expect(users.calls.count == 1)
        #expect(time.clock.nextDeadline == nil)
    }

    @Test("a session that arrives after the scene has gone is taken back and not shown")
    func lateSession() async {
        users.meanwhile = { [interactor] call in
            if case .login = call { interactor.leave() }
        }

        await login()

        #expect(presenter.calls == [.account(.busy)])
        #expect(users.calls.last == .withdraw)
        #expect(interactor.session == nil)
    }
}
