import Models
import Workers

/// What there is to tell about signing up, not yet in words.
@MainActor
public protocol SignupPresentationLogic: AnyObject {
    func presentAccount(response: Signup.Account.Response)
}

/// What a view of signing up shows; the one part to replace for another kind of screen.
@MainActor
public protocol SignupDisplayLogic: AnyObject {
    func displayAccount(viewModel: Signup.Account.ViewModel)
}

/// Puts responses into words. Whoever assembles the scene sets `view`, which is held weakly.
@MainActor
public final class SignupPresenter: SignupPresentationLogic {
    public weak var view: (any SignupDisplayLogic)?
    private let trace: Trace

    public init(trace: Trace = .off) { self.trace = trace }

    public func presentAccount(response: Signup.Account.Response) {
        trace(response)
        view?.displayAccount(viewModel: viewModel(response.progress))
    }

    private func viewModel(_ progress: Signup.Account.Response.Progress) -> Signup.Account.ViewModel {
        switch progress {
        case .busy: return .init(isBusy: true)
        case .waiting(let wait): return .init(isBusy: true, status: Wording.waiting(wait))
        case .signedIn: return .init(isSignedIn: true)
        case .unfit(let faults, let identities):
            let errors = Signup.Field.allCases.compactMap { field in
                faults[field].map { fault in
                    Signup.Account.ViewModel.FieldError(
                        field: field, text: Wording.explain(fault, of: label(field, identities)))
                }
            }
            return .init(fieldErrors: errors)
        case .failed(let error): return failed(error)
        }
    }

    private func failed(_ error: UsersError) -> Signup.Account.ViewModel {
        let sorted = FieldTexts(error) { Signup.Field(rawValue: $0) }
        let errors = Signup.Field.allCases.flatMap { field in
            (sorted.beside[field] ?? []).map { Signup.Account.ViewModel.FieldError(field: field, text: $0) }
        }
        return .init(
            fieldErrors: errors,
            generalError: sorted.rest.map { Wording.failure(Self.what($0), Wording.explain($0)) })
    }

    /// A session is stored last: where that fails, the account is there.
    private static func what(_ error: UsersError) -> RemoteText {
        if case .storage = error { return "The account is made, but you are not signed in" }
        return "The account was not made"
    }

    private func label(_ field: Signup.Field, _ identities: AccountIdentities) -> String {
        switch field {
        case .name: "The name"
        case .email: Wording.identity(identities)
        case .password: "The password"
        }
    }
}
