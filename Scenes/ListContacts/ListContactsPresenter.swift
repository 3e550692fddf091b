import Models

@MainActor
public protocol ListContactsPresentationLogic: AnyObject {
    func presentContacts(response: ListContacts.Fetch.Response)
    func presentFetch(response: ListContacts.Fetch.Ending)
    func presentReachability(response: ListContacts.Reachability.Response)
    func presentEvent(response: ListContacts.Event.Response)
    func presentCreate(response: ListContacts.Create.Response)
    func presentRemove(response: ListContacts.Remove.Response)
    func presentBlock(response: ListContacts.Block.Response)
    func presentSelect(response: ListContacts.Select.Response)
    func presentRename(response: ListContacts.Rename.Response)
    func presentChangePassword(response: ListContacts.ChangePassword.Response)
    func presentLogout(response: ListContacts.Logout.Response)
    func presentSessionEnd(response: ListContacts.SessionEnd.Response)
    func presentFailure(response: ListContacts.Failure.Response)
}

@MainActor
public protocol ListContactsDisplayLogic: AnyObject {
    /// The whole list, at every change of it.
    func displayContacts(viewModel: ListContacts.Fetch.ViewModel)
    func displayFetch(viewModel: ListContacts.OutcomeViewModel)
    func displayReachability(viewModel: ListContacts.Reachability.ViewModel)
    func displayEvent(viewModel: ListContacts.Event.ViewModel)
    func displayCreate(viewModel: ListContacts.OutcomeViewModel)
    func displayRemove(viewModel: ListContacts.OutcomeViewModel)
    func displayBlock(viewModel: ListContacts.OutcomeViewModel)
    /// Where done, the view routes to the chatroom.
    func displaySelect(viewModel: ListContacts.OutcomeViewModel)
    func displayRename(viewModel: ListContacts.OutcomeViewModel)
    func displayChangePassword(viewModel: ListContacts.OutcomeViewModel)
    /// Where logged out, the view routes to Welcome with the notice.
    func displayLogout(viewModel: ListContacts.Logout.ViewModel)
    /// The view routes to Login.
    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel)
    func displayFailure(viewModel: ListContacts.Failure.ViewModel)
}
