import Models
import Testing
import Workers

@testable import Scenes

@MainActor
private final class ViewSpy: SignupDisplayLogic {
    var calls: [Signup.Account.ViewModel] = []
    func displayAccount(viewModel: Signup.Account.ViewModel) { calls.append(viewModel) }
}

@MainActor
@Suite("SignupPresenter")
struct SignupPresenterTests {
    @Test(
        "each step of signing up has its view model",
        arguments: [
            (Signup.Account.Response.Progress.busy, Signup.Account.ViewModel(isBusy: true)),
            (.waiting(.seconds(2)), .init(isBusy: true, status: "Too many tries: trying again in 2 seconds.")),
            (.signedIn, .init(isSignedIn: true)),
            (
                .unfit([.password: .length(6...1_024), .name: .tooLong(limit: 255), .email: .missing]),
                .init(fieldErrors: [
                    .init(field: .name, text: "The name may have at most 255 characters."),
                    .init(field: .email, text: "The e-mail address is required."),
                    .init(field: .password, text: "The password must have 6 to 1,024 bytes."),
                ])
            ),
            (
                .failed(.invalid(message: "Invalid.", fields: ["email": ["Taken.", "Odd."]])),
                .init(fieldErrors: [.init(field: .email, text: "Taken."), .init(field: .email, text: "Odd.")])
            ),
            (
                .failed(.network(.unreachable)),
                .init(
                    generalError:
                        "The account was not made: the server cannot be reached. Check the connection and try again.")
            ),
        ])
    func account(_ progress: Signup.Account.Response.Progress, _ expected: Signup.Account.ViewModel) {
        let view = ViewSpy()
        let presenter = SignupPresenter(trace: .off)
        presenter.view = view

        presenter.presentAccount(response: .init(progress: progress))

        #expect(view.calls == [expected])
    }

    @Test("where only the session could not be kept, the account is not said to be missing")
    func unkeptSession() throws {
        let view = ViewSpy()
        let presenter = SignupPresenter(trace: .off)
        presenter.view = view

        presenter.presentAccount(response: .init(progress: .failed(.storage("/home/ann is read-only."))))

        let text = try #require(view.calls.first?.generalError?.unsanitised)
        #expect(text.hasPrefix("The account is made, but you are not signed in: "))
        #expect(text.contains("/home/ann is read-only"))
    }
}
