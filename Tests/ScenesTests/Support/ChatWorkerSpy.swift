import Models
import Workers

/// A `ChatWorker` that records what is asked of it, holds a state, and publishes what it is told to.
@MainActor
final class ChatWorkerSpy: ChatWorkerLogic {
    enum Call: Equatable {
        case connect(Session)
        case disconnect, subscribe
        case send(String, RoomID)
        case retry(RoomID)
        case loadOlder(RoomID)
        case typed(RoomID)
        case markRead(RoomID)
        case join(RoomID)
        case leave(RoomID)
        case joinGeneral, publicRooms
        case createChannel(String, isPrivate: Bool)
        case deleteChannel(RoomID)
        case invite(UserID, RoomID)
    }

    final class Subscription: ChatSubscription {
        private let state = Locked(false)
        var isCancelled: Bool { state.withLock { $0 } }
        func cancel() { state.withLock { $0 = true } }
    }

    var calls: [Call] = []
    var state: ChatState?
    var subscriptions: [Subscription] = []
    var sendFailure: ChatError?
    /// Answers to `joinGeneral`, in order; the last one repeats.
    var generals: [Result<RoomID?, ChatError>] = [.success(nil)]
    /// Answers to `publicRooms`, in order; the last one repeats.
    var publicLists: [Result<[PublicRoom], ChatError>] = [.success([])]
    var created: Result<RoomID, ChatError> = .success(RoomID("!made:words.test"))
    var deleted: Result<ChannelDeletion, ChatError> = .success(.complete)
    /// What joining, leaving and inviting end with.
    var failure: ChatError?
    /// Answers to `loadOlder`, in order, with the state that stands then; without one there is nothing older.
    var older: [Result<(ChatState, hasMore: Bool), ChatError>] = []
    /// Happens while a request is under way.
    var meanwhile: (@MainActor (Call) async -> Void)?
    /// Happens while the state is read for the first, second, third time and so on: what is read is of before.
    var whileReading: (@MainActor (Int) async -> Void)?
    private var readings = 0
    private var handlers: [(Subscription, @MainActor @Sendable (ChatUpdate) async -> Void)] = []

    var isListenedTo: Bool { subscriptions.contains { !$0.isCancelled } }

    /// Makes `state` the current one and tells everybody who still listens.
    func publish(_ state: ChatState, _ changes: Set<ChatUpdate.Change>) async {
        self.state = state
        for (subscription, handle) in handlers where !subscription.isCancelled {
            await handle(ChatUpdate(state: state, changes: changes))
        }
    }

    private func record(_ call: Call) async {
        calls.append(call)
        await meanwhile?(call)
    }

    func connect(_ session: Session) async { await record(.connect(session)) }

    func disconnect() async {
        await record(.disconnect)
        state = nil
    }

    func currentState() async -> ChatState? {
        let state = state
        readings += 1
        await whileReading?(readings)
        return state
    }

    func subscribe(_ handle: @escaping @MainActor @Sendable (ChatUpdate) async -> Void) async -> ChatSubscription {
        let subscription = Subscription()
        subscriptions.append(subscription)
        handlers.append((subscription, handle))
        await record(.subscribe)
        return subscription
    }

    func send(_ text: String, to room: RoomID) async throws(ChatError) {
        await record(.send(text, room))
        if let sendFailure { throw sendFailure }
    }

    func retry(in room: RoomID) async { await record(.retry(room)) }

    func loadOlder(in room: RoomID) async throws(ChatError) -> Bool {
        await record(.loadOlder(room))
        guard !older.isEmpty else { return false }
        let (state, hasMore) = try older.removeFirst().get()
        self.state = state
        return hasMore
    }

    func typed(in room: RoomID) async { await record(.typed(room)) }
    func markRead(_ room: RoomID) async { await record(.markRead(room)) }
    func join(_ room: RoomID) async throws(ChatError) {
        await record(.join(room))
        if let failure { throw failure }
    }

    func leave(_ room: RoomID) async throws(ChatError) {
        await record(.leave(room))
        if let failure { throw failure }
    }

    func joinGeneral() async throws(ChatError) -> RoomID? {
        await record(.joinGeneral)
        return try (generals.count > 1 ? generals.removeFirst() : generals[0]).get()
    }

    func publicRooms() async throws(ChatError) -> [PublicRoom] {
        // What is answered is decided when it is asked for, however long the answer takes.
        let answer = publicLists.count > 1 ? publicLists.removeFirst() : publicLists[0]
        await record(.publicRooms)
        return try answer.get()
    }

    func createChannel(_ name: String, isPrivate: Bool) async throws(ChatError) -> RoomID {
        await record(.createChannel(name, isPrivate: isPrivate))
        return try created.get()
    }

    func deleteChannel(_ room: RoomID) async throws(ChatError) -> ChannelDeletion {
        await record(.deleteChannel(room))
        return try deleted.get()
    }

    func invite(_ user: UserID, to room: RoomID) async throws(ChatError) {
        await record(.invite(user, room))
        if let failure { throw failure }
    }
}
