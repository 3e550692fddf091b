import Models

/// Sending, taking back, and looking back.
extension ChatRoutes {
    func addEvents(to router: inout Router) {
        add(&router, "PUT", "/rooms/{roomId}/send/{type}/{txnId}") { try await send($0) }
        add(&router, "PUT", "/rooms/{roomId}/redact/{eventId}/{txnId}") { call in
            let reason = try call.body().text("reason")
            let (target, transaction) = (EventID(call.path["eventId"]), call.transaction)
            let id = try await chat.write { [room = call.room, user = call.user] in
                try $0.redact(target, reason: reason, in: room, by: user, transaction: transaction)
            }
            chat.handle(.acted, of: call.user)
            return .json(200, MatrixShapes.EventIDAnswer(event_id: id))
        }
    }

    private func send(_ call: Call) async throws -> HTTPResponse {
        let content = try call.object()
        let (type, room, user, transaction) = (call.path["type"], call.room, call.user, call.transaction)
        guard !type.isEmpty, !transaction.id.raw.isEmpty else {
            throw MatrixError.invalidParameter("An event needs a type and a transaction id.")
        }
        let id = try await chat.write { chat in
            guard type == "m.room.redaction" else {
                return try chat.send(type, content, to: room, by: user, transaction: transaction)
            }
            guard let target = content["redacts"] else {
                throw MatrixError.badJSON("A redaction has to say what it redacts.")
            }
            return try chat.redact(
                EventID(target), reason: content["reason"], in: room, by: user, transaction: transaction)
        }
        chat.handle(.stopped(user, room))
        chat.handle(.acted, of: user)
        return .object { $0.member("event_id", id.raw) }
    }

    func addHistory(to router: inout Router) {
        add(&router, "GET", "/rooms/{roomId}/messages") { call in
            try await chat.messages(in: call.room, try await page(call), for: call.viewer)
        }
        add(&router, "GET", "/rooms/{roomId}/event/{eventId}") { call in
            try await chat.event(EventID(call.path["eventId"]), in: call.room, for: call.viewer)
        }
        add(&router, "GET", "/rooms/{roomId}/context/{eventId}") { call in
            try await chat.context(
                of: EventID(call.path["eventId"]), in: call.room,
                limit: try call.number("limit", default: 10, in: 0...100), filter: try await eventFilter(call),
                for: call.viewer)
        }
    }

    private func page(_ call: Call) async throws -> Chat.PageRequest {
        guard let text = call.request.query("dir") else { throw MatrixError.missingParameter("dir") }
        guard let direction = Chat.PageRequest.Direction(rawValue: text) else {
            throw MatrixError.invalidParameter("dir is either b or f.")
        }
        let filter = try await eventFilter(call)
        let limit = try call.number("limit", default: filter.limit ?? 10, in: 1...1_000)
        return Chat.PageRequest(
            direction: direction, from: try token(call, "from"), to: try token(call, "to"), limit: limit,
            filter: filter)
    }

    /// A filter of events, or the timeline's part of a filter kept at the server.
    private func eventFilter(_ call: Call) async throws -> EventFilter {
        guard let text = call.request.query("filter"), !text.isEmpty else { return EventFilter() }
        guard text.hasPrefix("{") else { return try await chat.filter(text, of: call.user).timeline }
        return try EventFilter(try RawObject(matrix: .init(text.utf8), numbers: .any).value)
    }

    /// A place in the stream; nil where the parameter is absent or empty.
    func token(_ call: Call, _ name: String) throws(MatrixError) -> SyncToken? {
        guard let text = call.request.query(name), !text.isEmpty else { return nil }
        guard let token = SyncToken(text) else {
            throw MatrixError(400, "M_UNKNOWN", "\(name) is no token of this server.")
        }
        return token
    }
}

extension ChatRoutes.Call {
    var transaction: ClientTransaction {
        ClientTransaction(device: who.deviceID, id: TransactionID(path["txnId"]))
    }
}
