import Foundation
import Models

/// The Matrix client-server API, of the embedded server and of any homeserver alike.
struct MatrixChatService: ChatService {
    let connection: ServerConnection
    let tokens: any ChatTokenSource
    let clock: any WallClock
    let ownID: UserID

    static let root = ["_matrix", "client", "v3"]

    func sync(_ request: SyncRequest) async throws(ChatServiceError) -> MatrixShapes.Sync {
        var call = call(.sync, ["sync"])
        call.query = [("timeout", String(request.hold.milliseconds)), ("filter", Self.filter)]
        if let since = request.since { call.query.append(("since", since)) }
        if let pollID = request.pollID { call.headers.append((PollHeader.name, pollID)) }
        call.deadline = request.deadline
        let response = try await accepted(call)
        return try understood(MatrixShapes.Sync(response.body), response)
    }

    /// Twenty events a room, members as they are needed, and no more of the rest than Words reads.
    private static let filter = """
        {"account_data":{"types":["m.direct","org.words.fence"]},"presence":{"types":["m.presence"]},"room":{\
        "account_data":{"types":[]},"ephemeral":{"types":["m.typing","m.receipt"]},\
        "state":{"lazy_load_members":true},"timeline":{"limit":20}}}
        """

    func send(
        _ content: Data, to room: RoomID, transaction: TransactionID
    ) async throws(ChatServiceError) -> EventID {
        let segments = ["rooms", room.raw, "send", "m.room.message", transaction.raw]
        let answer: MatrixShapes.EventIDAnswer = try await ask(call(.send, segments, "PUT", content))
        return answer.event_id
    }

    func messages(
        in room: RoomID, from position: String, to end: String?, limit: Int
    ) async throws(ChatServiceError) -> MatrixShapes.Messages {
        var call = call(.messages, ["rooms", room.raw, "messages"])
        call.query = [
            ("dir", "b"), ("from", position), ("limit", String(limit)),
            ("filter", #"{"lazy_load_members":true}"#),
        ]
        if let end { call.query.append(("to", end)) }
        let response = try await accepted(call)
        return try understood(Body.decode(MatrixShapes.Messages.self, from: response.body), response)
    }

    func join(_ room: RoomID, via servers: [String]) async throws(ChatServiceError) {
        var call = call(.join, ["join", room.raw], "POST", "{}")
        // The second is how it was called before 1.12.
        let others = servers.filter { $0 != ownID.serverName }.prefix(Self.mostServers)
        call.query = others.map { ("via", $0) } + others.map { ("server_name", $0) }
        try await tell(call)
    }

    /// To try more takes longer than it is worth.
    private static let mostServers = 5

    func leave(_ room: RoomID) async throws(ChatServiceError) {
        try await tell(call(.leave, ["rooms", room.raw, "leave"], "POST", "{}"))
    }

    func setTyping(
        _ isTyping: Bool, in room: RoomID, timeout: Duration
    ) async throws(ChatServiceError) {
        let content: JSONValue =
            isTyping ? ["typing": true, "timeout": .integer(timeout.milliseconds)] : ["typing": false]
        let segments = ["rooms", room.raw, "typing", ownID.raw]
        try await tell(call(.typing, segments, "PUT", content.serialized(), deadline: .seconds(10)))
    }

    func markRead(_ event: EventID, in room: RoomID) async throws(ChatServiceError) {
        try await setReadMarkers(["m.fully_read": .string(event.raw), "m.read": .string(event.raw)], in: room)
    }

    func markReadPrivately(_ event: EventID, in room: RoomID) async throws(ChatServiceError) {
        try await setReadMarkers(["m.read.private": .string(event.raw)], in: room)
    }

    private func setReadMarkers(_ content: JSONValue, in room: RoomID) async throws(ChatServiceError) {
        try await tell(call(.receipt, ["rooms", room.raw, "read_markers"], "POST", content.serialized()))
    }

    func setPresence(_ presence: Presence.State) async throws(ChatServiceError) {
        let content: JSONValue = ["presence": .string(presence.rawValue)]
        // Said on the way out: nobody waits long for it.
        let segments = ["presence", ownID.raw, "status"]
        try await tell(call(.presence, segments, "PUT", content.serialized(), deadline: .seconds(5)))
    }

    func displayName(of user: UserID) async throws(ChatServiceError) -> RemoteText? {
        let profile: JSONValue = try await ask(call(.profile, ["profile", user.raw]))
        return profile["displayname"]?.string.map { RemoteText($0) }
    }

    func joinedMembers(of room: RoomID) async throws(ChatServiceError) -> [Member] {
        let answer: JSONValue = try await ask(call(.members, ["rooms", room.raw, "joined_members"]))
        return (answer["joined"]?.object ?? [:]).map { id, member in
            Member(
                id: UserID(id), displayName: member["display_name"]?.string.map { RemoteText($0) },
                membership: .join)
        }
    }

    func accountData(_ type: String) async throws(ChatServiceError) -> JSONValue? {
        do { return try await ask(call(.accountData, ["user", ownID.raw, "account_data", type])) } catch {
            guard case .notFound = error else { throw error }
            return nil
        }
    }

    func setAccountData(_ type: String, to content: JSONValue) async throws(ChatServiceError) {
        let segments = ["user", ownID.raw, "account_data", type]
        try await tell(call(.accountData, segments, "PUT", content.serialized()))
    }
}

extension MatrixChatService {
    func call(
        _ operation: Operation, _ segments: [String], _ method: String = "GET", _ body: Data? = nil,
        deadline: Duration = .seconds(30)
    ) -> ServerCall {
        ServerCall(
            operation: operation, method: method, segments: Self.root + segments, body: body, deadline: deadline)
    }

    func call(
        _ operation: Operation, _ segments: [String], _ method: String, _ body: String
    ) -> ServerCall {
        call(operation, segments, method, Data(body.utf8))
    }

    func tell(_ call: ServerCall) async throws(ChatServiceError) {
        _ = try await accepted(call)
    }

    func ask<Value: Decodable>(_ call: ServerCall) async throws(ChatServiceError) -> Value {
        let response = try await accepted(call)
        return try understood(Body.decode(Value.self, from: response.body), response)
    }

    /// An answer of another shape is a fault of the server.
    private func understood<Value>(
        _ value: Value?, _ response: TransportResponse
    ) throws(ChatServiceError) -> Value {
        guard let value else { throw .network(.serverFault(status: response.status)) }
        return value
    }

    private func accepted(_ call: ServerCall) async throws(ChatServiceError) -> TransportResponse {
        let response = try await exchange(call)
        guard (200..<300).contains(response.status) else { throw Self.error(for: response, now: clock.now) }
        return response
    }

    /// Sends `call` with the chat token; once more with another where the server does not know that one. The answer is of
    /// any status.
    func exchange(_ call: ServerCall) async throws(ChatServiceError) -> TransportResponse {
        var token = try await renewing { () throws(UsersError) in try await tokens.chatToken() }
        var response = try await answer(to: call, token)
        // A poll is held, so that a token may end under it that was good when it began, and the next one as well.
        var renewals = call.operation == .sync ? 4 : 1
        while renewals > 0, let end = Self.end(toldBy: response) {
            renewals -= 1
            let refused = token
            token = try await renewing { () throws(UsersError) in
                switch end {
                case .token: try await tokens.chatToken(insteadOf: refused)
                case .session: try await tokens.chatToken(afterEndOf: refused)
                }
            }
            response = try await answer(to: call, token)
        }
        return response
    }

    private func answer(
        to call: ServerCall, _ token: Secret
    ) async throws(ChatServiceError) -> TransportResponse {
        var call = call
        call.token = token
        do { return try await connection.answer(to: call) } catch { throw .network(error) }
    }

    private func renewing(
        _ body: () async throws(UsersError) -> Secret
    ) async throws(ChatServiceError) -> Secret {
        do { return try await body() } catch {
            switch error {
            case .unauthenticated, .noSession: throw .sessionEnded
            case .expired: throw .sessionExpired
            case .network(let fault): throw .network(fault)
            case .limited(let retryAfter): throw .network(.limited(retryAfter: retryAfter))
            case .refused(let words), .wrongCredentials(let words), .invalid(let words, _): throw .refused(words)
            case .storage(let message): throw .refused(RemoteText(message))
            }
        }
    }

    private enum End { case token, session }

    /// What the server says is over; nil where it took the token. Client-server API, "Soft logout".
    private static func end(toldBy response: TransportResponse) -> End? {
        guard response.status == 401, let failure = Body.decode(MatrixShapes.Failure.self, from: response.body) else {
            return nil
        }
        return switch failure.errcode {
        case "M_UNKNOWN_TOKEN": failure.soft_logout == true ? .token : .session
        case "M_MISSING_TOKEN": .token
        default: nil
        }
    }

    /// What a failure means: by its `errcode`, for a status without one comes from something on the way.
    static func error(for response: TransportResponse, now: Timestamp) -> ChatServiceError {
        let failure = Body.decode(MatrixShapes.Failure.self, from: response.body)
        if response.status == 429 || failure?.errcode == "M_LIMIT_EXCEEDED" {
            let header = RetryAfter.duration(response.header("Retry-After"), now: now)
            let body = failure?.retry_after_ms.map { Duration.milliseconds(min(max($0, 0), 86_400_000)) }
            return .network(.limited(retryAfter: header ?? body))
        }
        guard (400..<500).contains(response.status), let failure, let code = failure.errcode else {
            return .network(.serverFault(status: response.status))
        }
        let words = failure.error ?? RemoteText(code)
        return switch code {
        case "M_UNKNOWN_TOKEN" where failure.soft_logout == true: .sessionExpired
        case "M_UNKNOWN_TOKEN", "M_MISSING_TOKEN": .sessionEnded
        case "M_FORBIDDEN": .forbidden(words)
        case "M_NOT_FOUND": .notFound(words)
        case "M_TOO_LARGE": .tooLarge
        case "M_ROOM_IN_USE": .taken(words)
        default: .refused(words)
        }
    }
}
