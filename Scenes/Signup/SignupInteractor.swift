import Models
import Workers

@MainActor
public protocol SignupBusinessLogic: AnyObject {
    /// Returns once an outcome has been presented, also the outcome that the server asked to wait: then another try
    /// follows by itself, and the view model says so by `isBusy`.
    func createAccount(request: Signup.Account.Request) async
    /// The scene goes. What is still under way is dropped.
    func leave()
}

@MainActor
public protocol SignupDataStore: AnyObject {
    /// The session, once signed in.
    var session: Session? { get }
}
