import Foundation
import Models

/// The chat of one signed-in person: one loop of news for all scenes, and the ways to act.
///
/// The decisions are in values (`SyncMachine`, `Outbox`, `TypingMachine`, `ChatLedger`); this actor does what they say.
public actor ChatWorker: ChatWorkerLogic {
    let environment: Environment
    let options: ClientOptions
    let facts: ServerFacts
    private let makeService: @Sendable (Session) -> any ChatService
    let subscriptions: ChatSubscriptions
    let stores: any ClientStores
    /// What is connected now; nil before `connect` and after `disconnect`.
    var connected: ChatConnection?
    private var connections = 0

    init(
        environment: Environment, options: ClientOptions, facts: ServerFacts = ServerFacts(),
        stores: any ClientStores = MemoryClientStores(),
        makeService: @escaping @Sendable (Session) -> any ChatService
    ) {
        self.environment = environment
        self.options = options
        self.facts = facts
        self.stores = stores
        self.makeService = makeService
        subscriptions = ChatSubscriptions(activity: environment.activity)
    }

    /// Dropped without a `disconnect`: the server may go on holding the poll, but nobody waits for it.
    deinit {
        guard let connected else { return }
        connected.pollTask?.cancel()
        if let poll = connected.pollID { environment.activity.endPoll(poll) }
        connected.timers.values.forEach { $0.cancel() }
        connected.outcomeWaiters.forEach { $0.resume() }
        connected.attemptWaiters.values.forEach { $0.resume() }
        connected.fences.values.forEach { $0.finish() }
    }

    public func connect(_ session: Session) async {
        let isRunning =
            connected.map { $0.ownID == session.user.chatID && $0.sync.phase != .ended } ?? false
        if !isRunning {
            if connected != nil { tearDown() }
            await begin(session)
        }
        guard let connected, !connected.hasOutcome else { return }
        await withCheckedContinuation { continuation in
            let waiter = PausedContinuation(continuation)
            self.connected?.outcomeWaiters.append(waiter)
            waiter.pause()
        }
    }

    /// Makes the connection, takes up what is stored and starts the loop. Carried messages are those of a connection
    /// before it; `fault` says why the store is not used.
    func begin(
        _ session: Session, carrying messages: [StoredMessage] = [], usesStore: Bool = true, fault: String? = nil
    ) async {
        connections += 1
        let number = connections
        connected = ChatConnection(
            number: number, service: makeService(session), session: session,
            store: stores.store(of: session.user.chatID), hold: options.pollHold,
            pollPrefix: environment.identifiers.next(length: 8))
        connected?.ledger.state.generalAlias = "#\(options.general.alias):\(session.user.chatID.serverName)"
        restore(messages)
        if usesStore {
            await restore(number)
        } else {
            connected?.keepsRooms = false
            tellStorage(fault)
        }
        guard isCurrent(number) else { return }
        handle(.start)
        flush()
    }

    public func disconnect() async {
        guard let ending = connected else { return }
        await saveAtEnd()
        guard isCurrent(ending.number) else { return }
        tearDown()
        guard ending.sync.phase != .ended else { return }
        await environment.activity.during("presence") { try? await ending.service.setPresence(.offline) }
    }

    /// Ends everything that goes on for the connection. Whatever answers later belongs to none any more.
    func tearDown() {
        guard let ending = connected else { return }
        connected = nil
        subscriptions.drop()
        ending.pollTask?.cancel()
        if let poll = ending.pollID { environment.activity.endPoll(poll) }
        ending.timers.values.forEach { $0.cancel() }
        ending.outcomeWaiters.forEach { $0.resume() }
        ending.attemptWaiters.values.forEach { $0.resume() }
        ending.fences.values.forEach { $0.finish() }
    }

    public func currentState() -> ChatState? { connected?.ledger.state }

    public func subscribe(
        _ handle: @escaping @MainActor @Sendable (ChatUpdate) async -> Void
    ) async -> any ChatSubscription {
        let subscription = Subscription(handle)
        await subscriptions.add(subscription)
        return subscription
    }

    /// The network may be back: what waits for a back-off is tried now, unless the server asked for the wait.
    public func networkReturned() {
        handle(SyncMachine.Event.networkReturned)
        handle(Outbox.Event.networkReturned)
        flush()
    }
}

/// All that belongs to one connection and ends with it.
struct ChatConnection {
    enum TimerKey: Hashable { case sync, gap, storage, direct, general, deletion, outbox(RoomID), typing(RoomID) }

    /// Tells the answers of this connection from those of an earlier one.
    let number: Int
    let service: any ChatService
    let session: Session
    let store: any ClientStore
    let pollPrefix: String

    var ledger: ChatLedger
    var sync: SyncMachine
    var outbox = Outbox()
    var typing: [RoomID: TypingMachine] = [:]
    /// What has changed in `ledger.state` since the last update.
    var changes: Set<ChatUpdate.Change> = []

    var timers: [TimerKey: any ScheduledTimer] = [:]
    var pollTask: Task<Void, Never>?
    var pollID: String?
    var polls = 0
    /// Whether the first batch, or the first failure, has been handled.
    var hasOutcome = false
    var outcomeWaiters: [PausedContinuation] = []
    var attemptWaiters: [TransactionID: PausedContinuation] = [:]
    /// By nonce, those who wait for it to come by.
    var fences: [String: AsyncStream<Void>.Continuation] = [:]

    var gapFailures = 0
    var isFillingGap = false
    /// Whether rooms and the position go to the store; not where it is not known what it has.
    var keepsRooms = true
    /// Whether a batch is being worked in: that a part of it is stored is no reason to show it.
    var isApplying = false
    /// The writing that is under way.
    var saving: Task<Void, Never>?
    var saveFailures = 0
    var storageFaultIsPassing = false
    var isOutboxUnsaved = false
    /// As the store has them.
    var savedPosition: String?
    var savedOutbox: [TransactionID: OutgoingMessage.State] = [:]

    var olderPages: [RoomID: SharedWork<Result<Bool, ChatError>>] = [:]
    var receipts: [RoomID: Receipt] = [:]
    /// Rooms whose whole timelines are in memory, by when they were last needed; see `foldQuietTimelines`.
    var lastUse: [RoomID: Timestamp] = [:]
    /// The rooms opened last, the newest last.
    var opened: [RoomID] = []
    var askedProfiles: Set<UserID> = []
    var askedMembers: Set<RoomID> = []
    /// The way into General, while it is under way.
    var general: SharedWork<Result<RoomID, ChatError>>?
    /// The deletions that are under way, or have their turn in a moment.
    var deletions: [RoomID: SharedWork<Result<ChannelDeletion, ChatError>>] = [:]
    /// Those that are marked, though the news of it may still be to come, and not taken away yet.
    var unfinishedDeletions: Set<RoomID> = []
    var announcedDeletions: Set<RoomID> = []
    var deletionFailures = 0
    var generalFailures = 0

    /// Chats of two that are being entered and listed as such, or have been: each is once.
    var enteringDirect: Set<RoomID> = []
    var directFailures = 0
    /// Rooms to whose replacement one has gone, or is going.
    var followedUpgrades: Set<RoomID> = []

    /// One room's receipts: the last one said, and whether one is under way.
    struct Receipt {
        var isBusy = false
        var last: EventID?
        var isWanted = false
    }

    var ownID: UserID { session.user.chatID }

    init(
        number: Int, service: any ChatService, session: Session, store: any ClientStore, hold: Duration,
        pollPrefix: String
    ) {
        self.number = number
        self.service = service
        self.session = session
        self.store = store
        self.pollPrefix = pollPrefix
        let ownID = session.user.chatID
        ledger = ChatLedger(ownID: ownID)
        sync = SyncMachine(hold: hold)
    }
}

extension ChatWorker {
    /// Tells the subscribers what has changed, if anything has, and has it stored.
    func flush() {
        saveUnsaved()
        guard let state = connected?.ledger.state, let changes = connected?.changes, !changes.isEmpty else { return }
        connected?.changes = []
        subscriptions.publish(ChatUpdate(state: state, changes: changes))
    }

    func note(_ changes: Set<ChatUpdate.Change>) { connected?.changes.formUnion(changes) }

    /// Whether `number` is still the connection that things are done for.
    func isCurrent(_ number: Int) -> Bool { connected?.number == number }

    /// How long to wait after so many failures in a row, the last of them for `fault`.
    func delay(failures: Int, after fault: NetworkFault? = nil) -> Duration {
        Backoff.delay(
            failures: failures, fraction: environment.identifiers.nextFraction(), asked: fault?.askedWait)
    }

    /// Starts a timer of the connection; it takes the place of an earlier one of that key.
    func startTimer(
        _ key: ChatConnection.TimerKey, _ delay: Duration, _ work: @escaping @Sendable (ChatWorker) async -> Void
    ) {
        guard let number = connected?.number else { return }
        connected?.timers[key]?.cancel()
        connected?.timers[key] = environment.after(delay) { [weak self] in
            guard let self, await self.isCurrent(number) else { return }
            await work(self)
        }
    }

    func cancelTimer(_ key: ChatConnection.TimerKey) { connected?.timers.removeValue(forKey: key)?.cancel() }
}
