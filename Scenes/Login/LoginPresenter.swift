import Models
import Workers

/// What there is to tell about signing in, not yet in words.
@MainActor
public protocol LoginPresentationLogic: AnyObject {
    func presentStart(response: Login.Start.Response)
    func presentAccount(response: Login.Account.Response)
}

/// What a view of signing in shows; the one part to replace for another kind of screen.
@MainActor
public protocol LoginDisplayLogic: AnyObject {
    func displayStart(viewModel: Login.Start.ViewModel)
    func displayAccount(viewModel: Login.Account.ViewModel)
}

/// Puts responses into words. Whoever assembles the scene sets `view`, which is held weakly.
@MainActor
public final class LoginPresenter: LoginPresentationLogic {
    public weak var view: (any LoginDisplayLogic)?
    private let trace: Trace

    public init(trace: Trace = .off) { self.trace = trace }

    public func presentStart(response: Login.Start.Response) {
        trace(response)
        view?.displayStart(viewModel: Login.Start.ViewModel(notice: response.reason.map(Wording.reason)))
    }

    public func presentAccount(response: Login.Account.Response) {
        trace(response)
        view?.displayAccount(viewModel: viewModel(response.progress))
    }

    private func viewModel(_ progress: Login.Account.Response.Progress) -> Login.Account.ViewModel {
        switch progress {
        case .busy: return .init(isBusy: true)
        case .waiting(let wait): return .init(isBusy: true, status: Wording.waiting(wait))
        case .signedIn: return .init(isSignedIn: true)
        case .unfit(let faults, let identities):
            let errors = Login.Field.allCases.compactMap { field in
                faults[field].map { fault in
                    Login.Account.ViewModel.FieldError(
                        field: field, text: Wording.explain(fault, of: label(field, identities)))
                }
            }
            return .init(fieldErrors: errors)
        case .failed(let error): return failed(error)
        }
    }

    private func failed(_ error: UsersError) -> Login.Account.ViewModel {
        let sorted = FieldTexts(error) { Self.fields[$0] }
        let errors = Login.Field.allCases.flatMap { field in
            (sorted.beside[field] ?? []).map { Login.Account.ViewModel.FieldError(field: field, text: $0) }
        }
        return .init(
            fieldErrors: errors,
            generalError: sorted.rest.map { Wording.failure("You are not signed in", Wording.explain($0)) })
    }

    private func label(_ field: Login.Field, _ identities: AccountIdentities) -> String {
        switch field {
        case .identity: Wording.identity(identities)
        case .password: "The password"
        }
    }

    /// By the names that the Words API gives them.
    private static let fields: [String: Login.Field] = [
        "email": .identity, "username": .identity, "password": .password,
    ]
}
