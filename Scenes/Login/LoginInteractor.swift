import Models
import Workers

@MainActor
public protocol LoginBusinessLogic: AnyObject {
    func start(request: Login.Start.Request) async
    /// Returns once an outcome has been presented, also the outcome that the server asked to wait: then another try
    /// follows by itself, and the view model says so by `isBusy`.
    func login(request: Login.Account.Request) async
    /// The scene goes. What is still under way is dropped.
    func leave()
}

@MainActor
public protocol LoginDataStore: AnyObject {
    var reason: Login.Reason? { get set }
    /// The session, once signed in.
    var session: Session? { get }
}
