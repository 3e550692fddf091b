import Foundation
import Models

@testable import Workers

/// A chat service that answers when the test says so, and counts what it holds as a server in this process would.
final class StubChatService: ChatService {
    enum Call: Hashable {
        case sync(since: String?, hold: Duration)
        case send(TransactionID, String)
        case messages(from: String, to: String?)
        case join(RoomID)
        case joinVia([String])
        case leave(RoomID)
        case typing(Bool)
        case markRead(EventID)
        case markReadPrivately(EventID, RoomID)
        case presence(Presence.State)
        case displayName(UserID)
        case members(RoomID)
        case accountData(String)
        case setAccountData(String, JSONValue)
        case createRoom(NewRoom)
        case room(String)
        case publicRooms(String?)
        case invite(UserID, RoomID)
        case kick(UserID)
        case forget(RoomID)
        case setState(String, JSONValue)
        case unlist(RoomID)
        case aliases(RoomID)
        case removeAlias(String)
        case presentMembers(RoomID)
        case announce(String, JSONValue, RoomID)
    }

    struct State {
        var calls: [Call] = []
        var batches: [Result<MatrixShapes.Sync, ChatServiceError>] = []
        var parked: (id: String?, continuation: CheckedContinuation<Void, Never>)?
        var sends: [Result<EventID, ChatServiceError>] = []
        var sent = 0
        var pages: [String: Result<MatrixShapes.Messages, ChatServiceError>] = [:]
        /// Where aliases lead, in the order in which they are asked for; nil where they lead nowhere.
        var aliases: [RoomID?] = []
        var aliasServers: [String] = []
        var creations: [Result<RoomID, ChatServiceError>] = []
        var lists: [MatrixShapes.PublicRooms] = []
        var failures: [Call: ChatServiceError] = [:]
        /// Those in a channel: whoever is removed is there no more.
        var present: [UserID] = [alice, bob]
        /// Those who are said to be in a channel, in the order in which it is asked; after these, `present`.
        var presence: [[UserID]] = []
    }

    let state = Locked(State())
    /// Happens while somebody is being removed.
    let whileRemoving = Locked<(@Sendable () async -> Void)?>(nil)
    private let activity: Activity

    init(_ activity: Activity) { self.activity = activity }

    var calls: [Call] { state.withLock { $0.calls } }

    /// The calls that are no polls.
    var actions: [Call] { calls.filter { if case .sync = $0 { false } else { true } } }
    var polls: [Call] { calls.filter { if case .sync = $0 { true } else { false } } }

    /// Answers the poll that is held, or the next one.
    func answer(_ result: Result<MatrixShapes.Sync, ChatServiceError>) {
        let parked = state.withLock { state in
            state.batches.append(result)
            defer { state.parked = nil }
            return state.parked
        }
        guard let parked else { return }
        if let id = parked.id { activity.unpark(poll: id) }
        parked.continuation.resume()
    }

    func answer(_ json: String) throws { answer(.success(try decoded(json))) }

    /// What sends get, in order; after these, `$sent-1`, `$sent-2` and so on.
    func answerSends(_ results: Result<EventID, ChatServiceError>...) { state.withLock { $0.sends += results } }

    func answerMessages(from position: String, _ result: Result<MatrixShapes.Messages, ChatServiceError>) {
        state.withLock { $0.pages[position] = result }
    }

    private func record(_ call: Call) { state.withLock { $0.calls.append(call) } }

    func answerAliases(_ rooms: RoomID?..., servers: [String] = []) {
        state.withLock { state in
            state.aliases += rooms
            state.aliasServers = servers
        }
    }

    func answerCreations(_ results: Result<RoomID, ChatServiceError>...) { state.withLock { $0.creations += results } }
    func answerPresence(_ people: [UserID]...) { state.withLock { $0.presence += people } }
    func answerLists(_ pages: MatrixShapes.PublicRooms...) { state.withLock { $0.lists += pages } }
    /// From now on `call` fails; nil ends that.
    func fail(_ call: Call, _ error: ChatServiceError?) { state.withLock { $0.failures[call] = error } }

    func attempt(_ call: Call) throws(ChatServiceError) {
        record(call)
        if let failure = state.withLock({ $0.failures[call] }) { throw failure }
    }

    func sync(_ request: SyncRequest) async throws(ChatServiceError) -> MatrixShapes.Sync {
        record(.sync(since: request.since, hold: request.hold))
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.batches.isEmpty else { return true }
                state.parked = (request.pollID, continuation)
                // In the same step: whoever answers takes it back.
                if let id = request.pollID { activity.park(poll: id) }
                return false
            }
            if isReady { continuation.resume() }
        }
        return try state.withLock { $0.batches.removeFirst() }.get()
    }

    func send(
        _ content: Data, to room: RoomID, transaction: TransactionID
    ) async throws(ChatServiceError) -> EventID {
        let body = (try? JSONValue(parsing: content))?["body"]?.string ?? ""
        return try state.withLock { state -> Result<EventID, ChatServiceError> in
            state.calls.append(.send(transaction, body))
            if !state.sends.isEmpty { return state.sends.removeFirst() }
            state.sent += 1
            return .success(EventID("$sent-\(state.sent)"))
        }.get()
    }

    func messages(
        in room: RoomID, from position: String, to end: String?, limit: Int
    ) async throws(ChatServiceError) -> MatrixShapes.Messages {
        record(.messages(from: position, to: end))
        let page = state.withLock { $0.pages[position] }
        return try (page ?? .failure(.network(.unreachable))).get()
    }

    /// Other servers than one's own are a call of their own.
    func join(_ room: RoomID, via servers: [String]) async throws(ChatServiceError) {
        let others = servers.filter { $0 != alice.serverName }
        if !others.isEmpty { record(.joinVia(others)) }
        try attempt(.join(room))
    }
    func leave(_ room: RoomID) async throws(ChatServiceError) { record(.leave(room)) }

    func setTyping(_ isTyping: Bool, in room: RoomID, timeout: Duration) async throws(ChatServiceError) {
        record(.typing(isTyping))
    }

    func markRead(_ event: EventID, in room: RoomID) async throws(ChatServiceError) { record(.markRead(event)) }

    func markReadPrivately(_ event: EventID, in room: RoomID) async throws(ChatServiceError) {
        record(.markReadPrivately(event, room))
    }

    func setPresence(_ presence: Presence.State) async throws(ChatServiceError) { record(.presence(presence)) }

    func displayName(of user: UserID) async throws(ChatServiceError) -> RemoteText? {
        record(.displayName(user))
        return "Bob"
    }

    func joinedMembers(of room: RoomID) async throws(ChatServiceError) -> [Member] {
        record(.members(room))
        return [
            Member(id: alice, displayName: "Alice", membership: .join),
            Member(id: bob, displayName: "Bob", membership: .join),
        ]
    }

    func accountData(_ type: String) async throws(ChatServiceError) -> JSONValue? {
        record(.accountData(type))
        return ["@cy:words.test": ["!old:words.test"]]
    }

    func setAccountData(_ type: String, to content: JSONValue) async throws(ChatServiceError) {
        record(.setAccountData(type, content))
    }
}

extension ChatService {
    /// Where no other server is known.
    func join(_ room: RoomID) async throws(ChatServiceError) { try await join(room, via: []) }
}

extension StubChatService {
    func createRoom(_ room: NewRoom) async throws(ChatServiceError) -> RoomID {
        try attempt(.createRoom(room))
        return try state.withLock {
            $0.creations.isEmpty ? .success(RoomID("!made:words.test")) : $0.creations.removeFirst()
        }
        .get()
    }

    func room(named alias: String) async throws(ChatServiceError) -> FoundRoom? {
        try attempt(.room(alias))
        return state.withLock { state in
            let room = state.aliases.isEmpty ? nil : state.aliases.removeFirst()
            return room.map { FoundRoom(id: $0, servers: state.aliasServers) }
        }
    }

    func publicRooms(since: String?) async throws(ChatServiceError) -> MatrixShapes.PublicRooms {
        try attempt(.publicRooms(since))
        guard let page = state.withLock({ $0.lists.isEmpty ? nil : $0.lists.removeFirst() }) else {
            throw .network(.unreachable)
        }
        return page
    }

    func invite(_ user: UserID, to room: RoomID) async throws(ChatServiceError) { try attempt(.invite(user, room)) }

    func kick(_ user: UserID, from room: RoomID, reason: String) async throws(ChatServiceError) {
        await whileRemoving.withLock { $0 }?()
        try attempt(.kick(user))
        state.withLock { $0.present.removeAll { $0 == user } }
    }

    func forget(_ room: RoomID) async throws(ChatServiceError) { try attempt(.forget(room)) }

    func setState(_ type: String, to content: JSONValue, in room: RoomID) async throws(ChatServiceError) {
        try attempt(.setState(type, content))
    }

    func unlist(_ room: RoomID) async throws(ChatServiceError) { try attempt(.unlist(room)) }

    func aliases(of room: RoomID) async throws(ChatServiceError) -> [String] {
        try attempt(.aliases(room))
        return ["#tea:words.test"]
    }

    func removeAlias(_ alias: String) async throws(ChatServiceError) { try attempt(.removeAlias(alias)) }

    func presentMembers(of room: RoomID) async throws(ChatServiceError) -> [UserID] {
        try attempt(.presentMembers(room))
        return state.withLock { state in
            guard !state.presence.isEmpty else { return state.present }
            return state.presence.removeFirst()
        }
    }

    func announce(
        _ type: String, _ content: JSONValue, in room: RoomID, transaction: TransactionID
    ) async throws(ChatServiceError) { try attempt(.announce(type, content, room)) }
}
