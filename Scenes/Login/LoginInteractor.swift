import Models
import Workers

/// What a view of signing in asks for.
@MainActor
public protocol LoginBusinessLogic: AnyObject {
    func start(request: Login.Start.Request) async
    /// Returns once an outcome has been presented, also the outcome that the server asked to wait: then another try
    /// follows by itself, and the view model says so by `isBusy`.
    func login(request: Login.Account.Request) async
    /// The scene goes. What is still under way is dropped.
    func leave()
}

/// What routers pass on from signing in, or put there before it starts.
@MainActor
public protocol LoginDataStore: AnyObject {
    var reason: Login.Reason? { get set }
    /// The session, once signed in.
    var session: Session? { get }
}

/// Decides what happens in signing in. The view owns it; it owns its presenter.
@MainActor
public final class LoginInteractor: LoginBusinessLogic, LoginDataStore {
    public var reason: Login.Reason?
    public private(set) var session: Session?
    private let presenter: any LoginPresentationLogic
    private let users: any UsersWorkerLogic
    private let environment: Environment
    private var isBusy = false
    private var hasLeft = false
    private var patience = Patience()
    private var timer: (any ScheduledTimer)?

    public init(
        presenter: any LoginPresentationLogic, users: any UsersWorkerLogic, environment: Environment
    ) {
        self.presenter = presenter
        self.users = users
        self.environment = environment
    }

    public func start(request: Login.Start.Request) async {
        presenter.presentStart(response: Login.Start.Response(reason: reason))
    }

    public func login(request: Login.Account.Request) async {
        guard !isBusy, !hasLeft else { return }
        let identity = AccountChecks.folded(request.identity)
        var faults: [Login.Field: FieldFault] = [:]
        faults[.identity] = AccountChecks.identity(identity)
        faults[.password] = AccountChecks.password(request.password)
        guard faults.isEmpty else { return present(.unfit(faults, await users.identities() ?? .emailAddresses)) }
        isBusy = true
        patience = Patience()
        present(.busy)
        await attempt(identity, request.password)
    }

    public func leave() {
        hasLeft = true
        timer?.cancel()
        timer = nil
    }

    private func attempt(_ identity: String, _ password: Secret) async {
        do {
            let session = try await users.login(identity: identity, password: password)
            // Cancelled while the answer was on its way: nobody is to stay signed in by it.
            guard !hasLeft else { return await users.withdraw() }
            self.session = session
            isBusy = false
            present(.signedIn)
        } catch {
            guard !hasLeft else { return }
            if let wait = patience.wait(after: error) {
                present(.waiting(wait))
                timer = environment.after(wait, "sign in again") { [weak self] in
                    await self?.attempt(identity, password)
                }
            } else {
                isBusy = false
                present(.failed(error))
            }
        }
    }

    private func present(_ progress: Login.Account.Response.Progress) {
        presenter.presentAccount(response: Login.Account.Response(progress: progress))
    }
}
