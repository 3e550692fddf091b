import Models

/// Who is typing, and how far people have read.
extension ChatRoutes {
    private static let typingLimit = 120_000

    func addReceipts(to router: inout Router) {
        add(&router, "PUT", "/rooms/{roomId}/typing/{userId}") { try await setTyping(try $0.own()) }
        add(&router, "POST", "/rooms/{roomId}/receipt/{kind}/{eventId}") { call in
            guard let kind = ReceiptKind(rawValue: call.path["kind"]) else {
                throw MatrixError.invalidParameter("There is no kind of receipt \(call.path["kind"]).")
            }
            // Receipts of threads are taken for the whole room's.
            if let thread = try call.body().text("thread_id"), thread.isEmpty || kind == .fullyRead {
                throw MatrixError.invalidParameter("A receipt is for no thread, or for one that has a name.")
            }
            return try await read([(kind, EventID(call.path["eventId"]))], call)
        }
        add(&router, "POST", "/rooms/{roomId}/read_markers") { call in
            let body = try call.body()
            let marks = try [ReceiptKind.fullyRead, .read, .readPrivately].compactMap { kind in
                try body.text(kind.rawValue).map { (kind, EventID($0)) }
            }
            return try await read(marks, call)
        }
    }

    private func setTyping(_ call: Call) async throws -> HTTPResponse {
        let body = try call.body()
        guard let isTyping = try body.flag("typing") else { throw MatrixError.missingParameter("typing") }
        guard chat.record(of: call.user, in: call.room)?.membership == .join else { throw MatrixError.notInRoom }
        if isTyping {
            // Whoever is blocked is not heard; refusing would tell nobody anything of use.
            let isUnheard = try await chat.read { [chat] in
                try $0.connection.isBlocked(call.user, in: call.room, chat.serverName)
            }
            if isUnheard { return .emptyObject }
            let wanted = try body.integer("timeout") ?? 30_000
            let timeout = min(max(wanted, 1), Int64(Self.typingLimit))
            chat.handle(.started(call.user, call.room, until: call.now + .milliseconds(timeout)))
            chat.handle(.acted, of: call.user)
        } else {
            chat.handle(.stopped(call.user, call.room))
        }
        return .emptyObject
    }

    private func read(_ marks: [(ReceiptKind, EventID)], _ call: Call) async throws -> HTTPResponse {
        guard chat.record(of: call.user, in: call.room)?.membership == .join else { throw MatrixError.notInRoom }
        guard !marks.isEmpty else { return .emptyObject }
        try await chat.write { [room = call.room, user = call.user] in
            for (kind, event) in marks { try $0.read(event, in: room, by: user, as: kind) }
        }
        chat.handle(.acted, of: call.user)
        return .emptyObject
    }
}
