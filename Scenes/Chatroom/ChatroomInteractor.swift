import Models
import Workers

/// What a view of a conversation asks for.
@MainActor
public protocol ChatroomBusinessLogic: AnyObject {
    /// Shows the conversation and follows the news until `leave`. The scene counts as on top from here.
    func start(request: Chatroom.Start.Request) async
    func send(request: Chatroom.Send.Request) async
    func showOlder(request: Chatroom.Older.Request) async
    func retry(request: Chatroom.Retry.Request) async
    /// One key was pressed.
    func typed(request: Chatroom.Typing.Request) async
    /// The text that is being typed is another. Presents a counter from 200 characters of 256 on, of any other limit from
    /// the same part of it.
    func measure(request: Chatroom.Draft.Request) async
    func markRead(request: Chatroom.Read.Request) async
    func listMembers(request: Chatroom.Members.Request) async
    func act(request: Chatroom.Act.Request) async
    func setVisibility(request: Chatroom.Visibility.Request) async
    /// The scene goes: no more news, no more receipts.
    func leave()
}

/// What routers put there before the conversation starts, and pass on from it.
@MainActor
public protocol ChatroomDataStore: AnyObject {
    var contact: Contact? { get set }
    /// All contacts: a name that could pass for another contact's shows its id as well.
    var contacts: [Contact] { get set }
    var currentUser: User? { get set }
    /// In place of a contact.
    var channel: Channel? { get set }
    var session: Session? { get set }
    /// Why one is here, where nobody asked to be.
    var notice: RemoteText? { get set }
    /// Where one goes when the channel is closed; nil where one is not in it.
    var general: Channel? { get }
}

/// Decides what happens in a conversation. The view owns it; it owns its presenter.
@MainActor
public final class ChatroomInteractor: ChatroomBusinessLogic, ChatroomDataStore {
    public var contact: Contact?
    public var contacts: [Contact] = []
    public var currentUser: User?
    public var channel: Channel?
    public var session: Session?
    public var notice: RemoteText?
    public var general: Channel? {
        guard let room = conversation?.state?.generalRoom else { return nil }
        return Channel(id: room.id, name: room.name ?? "General Channel")
    }

    let presenter: any ChatroomPresentationLogic
    let chat: any ChatWorkerLogic
    let environment: Environment
    /// Of a message in a channel, in characters as people see them.
    let messageLimit: Int
    /// What is typed is near the limit, as was presented last.
    var isCounting = false
    /// The deletion of the channel is to be confirmed.
    var isAskingToDelete = false
    /// One has asked to leave it.
    var isLeaving = false
    var conversation: Conversation?
    /// The scene has gone.
    var isOver = false
    var isOnTop = false
    var connection: Models.Connection?
    /// The last one that was told, here or by the scene before.
    private var storageFault: String?
    var markedRead: EventID?
    private var presented: Chatroom.Messages.Response?
    private var presentedTyping: Chatroom.Typing.Response?
    private var isFilling = false
    private var isJoining = false
    /// A connection came while a join was under way that may have begun before it: where that fails, another follows.
    private var isJoinDue = false
    private var subscription: (any ChatSubscription)?
    private var midnight: (any ScheduledTimer)?

    public init(
        presenter: any ChatroomPresentationLogic, chat: any ChatWorkerLogic, environment: Environment,
        messageLimit: Int = ClientOptions().messageLimit
    ) {
        self.presenter = presenter
        self.chat = chat
        self.environment = environment
        self.messageLimit = messageLimit
    }

    deinit {
        subscription?.cancel()
        midnight?.cancel()
    }

    public func start(request: Chatroom.Start.Request) async {
        let subject = channel.map { Conversation.Subject.channel($0) } ?? contact.map { .contact($0) }
        guard let subject, let currentUser else {
            return presenter.presentFailure(response: Chatroom.Failure.Response(error: .unknownRoom))
        }
        let conversation = Conversation(subject: subject, contacts: contacts, own: currentUser)
        self.conversation = conversation
        if let notice { presenter.presentNotice(response: Chatroom.Notice.Response(notice: notice)) }
        isOnTop = true
        subscription = await chat.subscribe { [weak self] update in self?.receive(update) }
        await chat.open(conversation.roomID)
        if let state = await chat.currentState() {
            self.conversation?.take(state)
            storageFault = state.storageFault
        }
        guard !isOver else {
            subscription?.cancel()
            return
        }
        let isLoading = isShort
        self.conversation?.isLoading = isLoading
        presentConnection()
        presentMessages()
        presentTyping()
        await joinChannel()
        await fillHistory()
        guard !isOver else { return }
        presentAtMidnight()
    }

    /// A channel is joined when it is opened, or else with the next connection; the sync brings the rest.
    private func joinChannel() async {
        guard let conversation, conversation.isToBeJoined, !isJoining, !isOver else { return }
        isJoining = true
        defer { isJoining = false }
        self.conversation?.hasJoinFailed = false
        var failure: ChatError?
        repeat {
            isJoinDue = false
            failure = nil
            do { try await chat.join(conversation.roomID) } catch { failure = error }
        } while failure != nil && isJoinDue && !isOver
        guard !isOver else { return }
        if let failure {
            self.conversation?.hasJoinFailed = true
            presenter.presentFailure(response: Chatroom.Failure.Response(error: failure, isJoin: true))
        }
        presentMessages()
    }

    public func leave() {
        isOver = true
        isOnTop = false
        subscription?.cancel()
        subscription = nil
        midnight?.cancel()
        midnight = nil
    }

    public func setVisibility(request: Chatroom.Visibility.Request) async {
        isOnTop = request.isOnTop && !isOver
        sendReceipt()
    }

    func receive(_ update: ChatUpdate) {
        guard !isOver, conversation != nil else { return }
        let touchesPeople = update.changes.contains { change in
            switch change {
            case .room, .synced, .contacts: true
            default: false
            }
        }
        let before = conversation?.room
        conversation?.take(update.state, touchesPeople: touchesPeople)
        if closes(before) { return }
        let isEntering =
            conversation?.channel != nil && before?.membership != .join && conversation?.room?.membership == .join
        if isEntering, isShort { conversation?.isLoading = true }
        presentConnection()
        presentStorageFault()
        presentMessages()
        presentTyping()
        let isBack = update.changes.contains(.connection) && update.state.connection == .online
        if isBack, isJoining {
            isJoinDue = true
        } else if isBack, conversation?.isToBeJoined == true {
            environment.activity.run("join") { [weak self] in await self?.joinChannel() }
        }
        guard isBack || isEntering, isShort, !isFilling else { return }
        environment.activity.run("fetch history") { [weak self] in await self?.fillHistory() }
    }

    /// Fewer messages than a page, though the server has more and can be asked.
    private var isShort: Bool {
        guard let conversation else { return false }
        return conversation.messageCount < Conversation.pageLength && conversation.timeline.hasOlder
            && conversation.isOnline
    }

    /// Fetches until a page is full, the server has nothing older, or a fetch brings nothing.
    private func fillHistory() async {
        guard !isFilling else { return }
        isFilling = true
        defer { isFilling = false }
        while isShort, !isOver {
            let before = conversation?.timeline.items.count
            do {
                let hasMore = try await chat.loadOlder(in: conversation?.roomID ?? RoomID(""))
                await takeCurrentState()
                if !hasMore || conversation?.timeline.items.count == before { break }
            } catch {
                if !isOver { presenter.presentFailure(response: Chatroom.Failure.Response(error: error)) }
                break
            }
        }
        guard !isOver, conversation?.isLoading == true else { return }
        conversation?.isLoading = false
        presentMessages()
    }

    func takeCurrentState() async {
        guard let state = await chat.currentState(), !isOver else { return }
        conversation?.take(state)
    }

    /// Presents the conversation where it is another than the one presented last, and sends the receipt that is due.
    func presentMessages() {
        guard let response = conversation?.messages, !isOver else { return }
        if response != presented {
            presented = response
            presenter.presentMessages(response: response)
        }
        sendReceipt()
    }

    private func presentTyping() {
        guard let response = conversation?.typing, !isOver, response.ids != presentedTyping?.ids else { return }
        let isFirst = presentedTyping == nil
        presentedTyping = response
        if !isFirst || !response.ids.isEmpty { presenter.presentTyping(response: response) }
    }

    private func presentConnection() {
        guard let connection = conversation?.state?.connection, connection != self.connection else { return }
        self.connection = connection
        presenter.presentReachability(response: Chatroom.Reachability.Response(connection: connection))
    }

    private func presentStorageFault() {
        guard let state = conversation?.state, state.storageFault != storageFault else { return }
        storageFault = state.storageFault
        if let storageFault {
            presenter.presentFailure(response: Chatroom.Failure.Response(error: .storage(storageFault)))
        }
    }

    /// Tells the server what has been read: only what is shown, only while the scene is on top, each event once.
    private func sendReceipt() {
        guard isOnTop, let conversation, conversation.isOnline, !conversation.isLoading,
            let newest = conversation.newestUnread, newest != markedRead
        else { return }
        markedRead = newest
        let roomID = conversation.roomID
        environment.activity.run("receipt") { [chat] in await chat.markRead(roomID) }
    }

    /// `Today` is a date tomorrow.
    private func presentAtMidnight() {
        let wait = DayText(zone: environment.timeZone).untilNextDay(environment.clock.now)
        midnight = environment.after(wait, "midnight") { [weak self] in await self?.turnDay() }
    }

    private func turnDay() {
        guard !isOver else { return }
        presented = nil
        presentMessages()
        presentAtMidnight()
    }
}
