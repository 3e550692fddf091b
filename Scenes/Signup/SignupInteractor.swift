import Foundation
import Models
import Workers

/// What a view of signing up asks for.
@MainActor
public protocol SignupBusinessLogic: AnyObject {
    /// Returns once an outcome has been presented, also the outcome that the server asked to wait: then another try
    /// follows by itself, and the view model says so by `isBusy`.
    func createAccount(request: Signup.Account.Request) async
    /// The scene goes. What is still under way is dropped.
    func leave()
}

/// What routers pass on from signing up.
@MainActor
public protocol SignupDataStore: AnyObject {
    /// The session, once signed in.
    var session: Session? { get }
}

/// Decides what happens in signing up. The view owns it; it owns its presenter.
@MainActor
public final class SignupInteractor: SignupBusinessLogic, SignupDataStore {
    public private(set) var session: Session?
    private let presenter: any SignupPresentationLogic
    private let users: any UsersWorkerLogic
    private let environment: Environment
    private var isBusy = false
    private var hasLeft = false
    private var patience = Patience()
    private var timer: (any ScheduledTimer)?

    public init(
        presenter: any SignupPresentationLogic, users: any UsersWorkerLogic, environment: Environment
    ) {
        self.presenter = presenter
        self.users = users
        self.environment = environment
    }

    public func createAccount(request: Signup.Account.Request) async {
        guard !isBusy, !hasLeft else { return }
        isBusy = true
        let identities = await users.identities()
        isBusy = false
        guard !hasLeft else { return }
        let fit = Signup.Account.Request(
            name: request.name.trimmingCharacters(in: .whitespacesAndNewlines),
            email: AccountChecks.folded(request.email), password: request.password)
        var faults: [Signup.Field: FieldFault] = [:]
        faults[.name] = AccountChecks.name(fit.name)
        faults[.email] = Self.fault(fit.email, identities)
        faults[.password] = AccountChecks.newPassword(fit.password)
        guard faults.isEmpty else { return present(.unfit(faults, identities ?? .emailAddresses)) }
        isBusy = true
        patience = Patience()
        present(.busy)
        await attempt(fit)
    }

    private static func fault(_ identity: String, _ identities: AccountIdentities?) -> FieldFault? {
        switch identities {
        case .emailAddresses: AccountChecks.email(identity)
        case .userNames: AccountChecks.userName(identity)
        // Which of the two it takes, the server says when it can be reached.
        case nil: AccountChecks.identity(identity)
        }
    }

    public func leave() {
        hasLeft = true
        timer?.cancel()
        timer = nil
    }

    private func attempt(_ account: Signup.Account.Request) async {
        do {
            let session = try await users.signup(
                name: account.name, email: account.email, password: account.password)
            // Cancelled while the answer was on its way: nobody is to stay signed in by it.
            guard !hasLeft else { return await users.withdraw() }
            self.session = session
            isBusy = false
            present(.signedIn)
        } catch {
            guard !hasLeft else { return }
            if let wait = patience.wait(after: error) {
                present(.waiting(wait))
                timer = environment.after(wait, "sign up again") { [weak self] in await self?.attempt(account) }
            } else {
                isBusy = false
                present(.failed(error))
            }
        }
    }

    private func present(_ progress: Signup.Account.Response.Progress) {
        presenter.presentAccount(response: Signup.Account.Response(progress: progress))
    }
}
