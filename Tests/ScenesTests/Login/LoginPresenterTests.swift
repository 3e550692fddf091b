import Models
import Testing
import Workers

@testable import Scenes

@MainActor
private final class ViewSpy: LoginDisplayLogic {
    enum Call: Equatable {
        case start(Login.Start.ViewModel)
        case account(Login.Account.ViewModel)
    }

    var calls: [Call] = []
    func displayStart(viewModel: Login.Start.ViewModel) { calls.append(.start(viewModel)) }
    func displayAccount(viewModel: Login.Account.ViewModel) { calls.append(.account(viewModel)) }
}

@MainActor
@Suite("LoginPresenter")
struct LoginPresenterTests {
    private let view = ViewSpy()
    private let presenter = LoginPresenter(trace: .off)

    init() { presenter.view = view }

    @Test(
        "the reason for being here is a sentence",
        arguments: [
            (Login.Reason?.none, RemoteText?.none),
            (
                .sessionExpired,
                "Your sign-in has expired. Sign in again: what is here, and what is not sent yet, is kept."
            ),
            (.sessionEnded, "The server has ended your session. Sign in again."),
        ])
    func start(_ reason: Login.Reason?, _ notice: RemoteText?) {
        presenter.presentStart(response: .init(reason: reason))

        #expect(view.calls == [.start(.init(notice: notice))])
    }

    @Test(
        "each step of signing in has its view model",
        arguments: [
            (Login.Account.Response.Progress.busy, Login.Account.ViewModel(isBusy: true)),
            (.waiting(.seconds(2)), .init(isBusy: true, status: "Too many tries: trying again in 2 seconds.")),
            (.signedIn, .init(isSignedIn: true)),
            (
                .unfit([.password: .missing, .identity: .malformedEmail]),
                .init(fieldErrors: [
                    .init(field: .identity, text: "The e-mail address must look like name@example.org."),
                    .init(field: .password, text: "The password is required."),
                ])
            ),
            (
                .failed(.wrongCredentials("Wrong.")),
                .init(generalError: "You are not signed in: Wrong. Check both and try again.")
            ),
            (
                .failed(.invalid(message: "Invalid.", fields: ["username": ["Odd."], "client": ["Old."]])),
                .init(
                    fieldErrors: [.init(field: .identity, text: "Odd.")], generalError: "You are not signed in: Old.")
            ),
        ])
    func account(_ progress: Login.Account.Response.Progress, _ expected: Login.Account.ViewModel) {
        presenter.presentAccount(response: .init(progress: progress))

        #expect(view.calls == [.account(expected)])
    }
}
