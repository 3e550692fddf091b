import Models

/// Filters, and what clients keep for themselves.
extension ChatRoutes {
    func addAccountData(to router: inout Router) {
        add(&router, "POST", "/user/{userId}/filter") { call in
            let content = try call.own().object(numbers: .any)
            _ = try SyncFilter(content.value)
            let id = try await chat.write { [user = call.user] in try $0.keepFilter(content, of: user) }
            return .json(200, ["filter_id": String(id)])
        }
        add(&router, "GET", "/user/{userId}/filter/{filterId}") { call in
            let (user, id) = (try call.own().user, Int64(call.path["filterId"]))
            guard let id, let content = try await chat.read({ try $0.connection.filter(id, of: user) }) else {
                throw MatrixError.notFound("There is no such filter.")
            }
            return .json(200, data: .init(content.bytes))
        }
        for pattern in ["/user/{userId}/account_data/{type}", "/user/{userId}/rooms/{roomId}/account_data/{type}"] {
            add(&router, "GET", pattern) { try await accountData(try $0.own()) }
            add(&router, "PUT", pattern) { try await setAccountData(try $0.own()) }
        }
    }

    private func accountData(_ call: Call) async throws -> HTTPResponse {
        let (type, user, room) = (call.path["type"], call.user, call.dataRoom)
        if type == "m.push_rules", room == nil { return .json(200, data: .init(PushRules.json.utf8)) }
        guard let content = try await chat.read({ try $0.connection.accountData(type, of: user, in: room) }) else {
            throw MatrixError.notFound("Nothing is kept under \(type).")
        }
        return .json(200, data: .init(content.bytes))
    }

    private func setAccountData(_ call: Call) async throws -> HTTPResponse {
        let (type, user, room) = (call.path["type"], call.user, call.dataRoom)
        guard type != "m.fully_read", type != "m.push_rules" else {
            throw MatrixError(405, "M_BAD_JSON", "\(type) cannot be set here.")
        }
        guard type.utf8.count <= 255 else { throw MatrixError.tooLarge("A type may have 255 bytes.") }
        let content = try call.object(numbers: .any)
        guard content.bytes.count <= ChatTransaction.eventLimit else {
            throw MatrixError.tooLarge("Account data may have \(ChatTransaction.eventLimit) bytes.")
        }
        try await chat.write { transaction in
            if let room, try transaction.membership(of: user, in: room) == nil {
                throw MatrixError.notInRoom
            }
            try transaction.setAccountData(type, content, of: user, in: room)
        }
        return .emptyObject
    }
}

extension ChatRoutes.Call {
    /// The room that account data is about; nil where the path names none.
    fileprivate var dataRoom: RoomID? { path["roomId"].isEmpty ? nil : room }
}
