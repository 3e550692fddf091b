import Models

@testable import Scenes

@MainActor
final class ChatroomViewSpy: ChatroomDisplayLogic {
    enum Call: Equatable {
        case messages(Chatroom.Messages.ViewModel)
        case reachability(Banner)
        case typing(Chatroom.Typing.ViewModel)
        case send(Outcome)
        case older(Chatroom.Older.ViewModel)
        case retry(Outcome)
        case read(Outcome)
        case members(Chatroom.Members.ViewModel)
        case failure(RemoteText)
        case draft(Chatroom.Draft.ViewModel)
        case act(Chatroom.Act.ViewModel)
        case close(RemoteText)
        case notice(RemoteText)
    }

    var calls: [Call] = []
    func displayMessages(viewModel: Chatroom.Messages.ViewModel) { calls.append(.messages(viewModel)) }
    func displayReachability(viewModel: Chatroom.Reachability.ViewModel) {
        calls.append(.reachability(viewModel.banner))
    }
    func displayTyping(viewModel: Chatroom.Typing.ViewModel) { calls.append(.typing(viewModel)) }
    func displaySend(viewModel: Chatroom.OutcomeViewModel) { calls.append(.send(viewModel.outcome)) }
    func displayOlder(viewModel: Chatroom.Older.ViewModel) { calls.append(.older(viewModel)) }
    func displayRetry(viewModel: Chatroom.OutcomeViewModel) { calls.append(.retry(viewModel.outcome)) }
    func displayRead(viewModel: Chatroom.OutcomeViewModel) { calls.append(.read(viewModel.outcome)) }
    func displayMembers(viewModel: Chatroom.Members.ViewModel) { calls.append(.members(viewModel)) }
    func displayDraft(viewModel: Chatroom.Draft.ViewModel) { calls.append(.draft(viewModel)) }
    func displayAct(viewModel: Chatroom.Act.ViewModel) { calls.append(.act(viewModel)) }
    func displayClose(viewModel: Chatroom.Close.ViewModel) { calls.append(.close(viewModel.notice)) }
    func displayNotice(viewModel: Chatroom.Notice.ViewModel) { calls.append(.notice(viewModel.line)) }
    func displayFailure(viewModel: Chatroom.Failure.ViewModel) { calls.append(.failure(viewModel.line)) }
}
