import Models
import SQLite

/// Contacts and blocks.
extension WordsRoutes {
    func addContacts(to router: inout Router) {
        add(&router, "GET", "/api/contacts") { try await listContacts($0) }
        add(&router, "POST", "/api/contacts") { try await addContact($0) }
        add(&router, "DELETE", "/api/contacts/{id}") { try await removeContact($0, $1["id"]) }
        add(&router, "PUT", "/api/blocks/{id}") { try await setBlock($0, $1["id"], isBlocked: true) }
        add(&router, "DELETE", "/api/blocks/{id}") { try await setBlock($0, $1["id"], isBlocked: false) }
    }

    private func listContacts(_ request: HTTPRequest) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.wordsUser(request)
        let rows = try await accounts.database.read { try ContactTable.all(of: who.userID, $0) }
        return .json(200, rows.map(contact))
    }

    private func addContact(_ request: HTTPRequest) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.wordsUser(request)
        let identity = AccountRules.trimmed(try WordsBody(request).text("user_id"))
        guard !identity.isEmpty else {
            throw Self.refused("An e-mail address or a user id is required.")
        }
        try accounts.limiters.takeContact(account: who.accountID)
        let other = try await accounts.database.read { connection in
            try mayAdd(who, try find(identity, connection), connection)
        }
        let otherID = other.userID(on: accounts.serverName)
        _ = try await contacts.enterDirectRoom(who.userID, with: otherID)
        let row = try await accounts.database.read { try ContactTable.find(of: who.userID, other, otherID, $0) }
        guard let row else { throw WordsError(500, "The new contact could not be read. Try again.") }
        return .json(201, contact(row))
    }

    /// The account, if `who` may add it. Throws 422 with the reason.
    private func mayAdd(
        _ who: Authenticated, _ account: Account?, _ connection: SQLiteConnection
    ) throws -> Account {
        guard let account else { throw Self.refused("Nobody here has this address or id.") }
        guard account.id != who.accountID else { throw Self.refused("This is yourself.") }
        if try BlockTable.isBlocked(account.id, by: who.accountID, connection) {
            throw Self.refused("You have blocked this person. Unblock them first.")
        }
        if try BlockTable.isBlocked(who.accountID, by: account.id, connection) {
            throw Self.refused("This person does not want to be added.")
        }
        let common = try ContactTable.find(
            of: who.userID, account, account.userID(on: accounts.serverName), connection)
        guard let common, common.own == .join else { return account }
        switch common.others {
        case .join: throw Self.refused("This person is among your contacts already.")
        case .invite: throw Self.refused("This person is among your contacts already, and has been invited.")
        default: return account
        }
    }

    private func removeContact(_ request: HTTPRequest, _ id: String) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.wordsUser(request)
        let room = try await accounts.database.read { connection -> RoomID in
            guard let account = try findByID(id, connection),
                let common = try ContactTable.find(
                    of: who.userID, account, account.userID(on: accounts.serverName), connection),
                common.own == .join
            else { throw WordsError(404, "There is no such contact.") }
            return common.room
        }
        try await contacts.leaveDirectRoom(room, who.userID)
        return .noContent
    }

    private func setBlock(_ request: HTTPRequest, _ id: String, isBlocked: Bool) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.wordsUser(request)
        try await accounts.database.write { [serverName = accounts.serverName] connection in
            guard let account = try Self.findByID(id, serverName, connection) else {
                throw WordsError(404, "There is nobody with this id.")
            }
            guard account.id != who.accountID else { throw Self.refused("This is yourself.") }
            if isBlocked {
                try BlockTable.block(account.id, by: who.accountID, connection)
            } else {
                try BlockTable.unblock(account.id, by: who.accountID, connection)
            }
        }
        return .noContent
    }

    private static func refused(_ message: String) -> WordsError { .invalid(["user_id": [message]]) }

    /// By e-mail address or Matrix id.
    private func find(_ identity: String, _ connection: SQLiteConnection) throws -> Account? {
        if identity.hasPrefix("@") { return try findByID(identity, connection) }
        return try AccountTable.find(email: AccountRules.folded(email: identity), connection)
    }

    private func findByID(_ id: String, _ connection: SQLiteConnection) throws -> Account? {
        try Self.findByID(id, accounts.serverName, connection)
    }

    /// By the number of the account or by its Matrix id.
    private static func findByID(
        _ id: String, _ serverName: String, _ connection: SQLiteConnection
    ) throws -> Account? {
        if let number = Int64(id) { return try AccountTable.find(id: number, connection) }
        guard id.hasPrefix("@"), id.hasSuffix(":\(serverName)") else { return nil }
        return try AccountTable.find(localPart: UserID(id).localPart, connection)
    }

    private func contact(_ row: ContactTable.Row) -> WordsAPIShapes.Contact {
        let account = row.account
        return WordsAPIShapes.Contact(
            id: Int(account.id), name: RemoteText(account.name), email: account.email.map { RemoteText($0) },
            chatkit_id: account.userID(on: accounts.serverName),
            room: WordsAPIShapes.Room(
                id: row.room, name: RemoteText(account.name), created_by_id: row.creator, private: true,
                created_at: row.createdAt.iso8601, updated_at: row.createdAt.iso8601))
    }
}
