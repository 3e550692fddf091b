import Models
import Workers

/// What a view of the launch asks for.
@MainActor
public protocol LaunchBusinessLogic: AnyObject {
    func resume(request: Launch.Resume.Request) async
}

/// What routers pass on from the launch.
@MainActor
public protocol LaunchDataStore: AnyObject {
    var session: Session? { get }
    /// Why the server could not be asked whether it honours the session.
    var fault: NetworkFault? { get }
    var loginReason: Login.Reason? { get }
}

/// Decides what happens in the launch. The view owns it; it owns its presenter.
@MainActor
public final class LaunchInteractor: LaunchBusinessLogic, LaunchDataStore {
    public private(set) var session: Session?
    public private(set) var fault: NetworkFault?
    public private(set) var loginReason: Login.Reason?
    private let presenter: any LaunchPresentationLogic
    private let users: any UsersWorkerLogic

    public init(presenter: any LaunchPresentationLogic, users: any UsersWorkerLogic) {
        self.presenter = presenter
        self.users = users
    }

    public func resume(request: Launch.Resume.Request) async {
        let outcome: Launch.Resume.Response.Outcome
        switch await users.resume() {
        case .none: outcome = .signedOut
        case .valid(let session):
            self.session = session
            outcome = .signedIn
        case .offline(let session, let fault):
            self.session = session
            self.fault = fault
            outcome = .offline(fault)
        case .ended:
            loginReason = .sessionEnded
            outcome = .ended
        case .expired:
            loginReason = .sessionExpired
            outcome = .expired
        case .unreadable(let what): outcome = .unreadable(what)
        }
        presenter.presentResume(response: Launch.Resume.Response(outcome: outcome))
    }
}
