import Models
import Testing
import Workers

@testable import Scenes

@MainActor
private final class ViewSpy: LaunchDisplayLogic {
    var calls: [Launch.Resume.ViewModel] = []
    func displayResume(viewModel: Launch.Resume.ViewModel) { calls.append(viewModel) }
}

@MainActor
@Suite("LaunchPresenter")
struct LaunchPresenterTests {
    @Test(
        "each outcome has its destination",
        arguments: [
            (Launch.Resume.Response.Outcome.signedIn, Launch.Resume.ViewModel(destination: .listContacts)),
            (.offline(.timedOut), .init(destination: .listContacts)), (.signedOut, .init(destination: .welcome)),
            (.expired, .init(destination: .login)), (.ended, .init(destination: .login)),
            (
                .unreadable("session.json is cut short"),
                .init(
                    destination: .welcome,
                    notice:
                        "The stored session could not be read: session.json is cut short. Sign in again to replace it.")
            ),
        ])
    func destinations(_ outcome: Launch.Resume.Response.Outcome, _ expected: Launch.Resume.ViewModel) {
        let view = ViewSpy()
        let presenter = LaunchPresenter(trace: .off)
        presenter.view = view

        presenter.presentResume(response: .init(outcome: outcome))

        #expect(view.calls == [expected])
    }

    @Test("responses are traced")
    func traced() {
        var lines: [String] = []
        let presenter = LaunchPresenter(trace: Trace { lines.append($0) })

        presenter.presentResume(response: .init(outcome: .signedOut))

        #expect(lines == ["Launch.Resume.Response(outcome: .signedOut)"])
    }
}
