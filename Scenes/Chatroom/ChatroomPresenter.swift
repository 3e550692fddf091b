import Models

@MainActor
public protocol ChatroomPresentationLogic: AnyObject {
    func presentMessages(response: Chatroom.Messages.Response)
    func presentReachability(response: Chatroom.Reachability.Response)
    func presentTyping(response: Chatroom.Typing.Response)
    func presentSend(response: Chatroom.Send.Response)
    func presentOlder(response: Chatroom.Older.Response)
    func presentRetry(response: Chatroom.Retry.Response)
    func presentRead(response: Chatroom.Read.Response)
    func presentMembers(response: Chatroom.Members.Response)
    func presentFailure(response: Chatroom.Failure.Response)
}

@MainActor
public protocol ChatroomDisplayLogic: AnyObject {
    /// The whole conversation, at every change of it.
    func displayMessages(viewModel: Chatroom.Messages.ViewModel)
    func displayReachability(viewModel: Chatroom.Reachability.ViewModel)
    func displayTyping(viewModel: Chatroom.Typing.ViewModel)
    func displaySend(viewModel: Chatroom.OutcomeViewModel)
    /// Comes right before the `displayMessages` that holds the same rows in their place.
    func displayOlder(viewModel: Chatroom.Older.ViewModel)
    func displayRetry(viewModel: Chatroom.OutcomeViewModel)
    func displayRead(viewModel: Chatroom.OutcomeViewModel)
    func displayMembers(viewModel: Chatroom.Members.ViewModel)
    /// Something nobody asked for at this moment has gone wrong.
    func displayFailure(viewModel: Chatroom.Failure.ViewModel)
}
