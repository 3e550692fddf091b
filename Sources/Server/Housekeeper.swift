import Models
import SQLite

/// Takes away what nobody will ask for again: at the start, and once a day while requests come. It has no timer, for a
/// server that is left alone has nothing to take away.
final class Housekeeper: Sendable {
    static let interval = Duration.seconds(86_400)
    private static let mark = "cleaned_at"

    private let accounts: Accounts
    private let chat: Chat
    private let environment: Environment
    private let lastCleaning: Locked<Timestamp>

    init(accounts: Accounts, chat: Chat, environment: Environment) {
        self.accounts = accounts
        self.chat = chat
        self.environment = environment
        lastCleaning = Locked(environment.clock.now)
    }

    /// Drops what has long expired, and recalls when all the rest was looked through: servers that never run for a day
    /// have their day as well.
    func begin() async throws {
        try await accounts.dropExpired()
        let now = environment.clock.now
        let last = try await accounts.database.write { connection in
            try connection.run("INSERT OR IGNORE INTO server VALUES (?, ?)", Self.mark, String(now.milliseconds))
            return try connection.first("SELECT value FROM server WHERE name = ?", Self.mark) { $0.text(0) }
        }
        let recalled = last.flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) } ?? now
        lastCleaning.withLock { $0 = min(recalled, now) }
    }

    /// A request has come; cleans up behind its back where that is due.
    func noteRequest() {
        let now = environment.clock.now
        let isDue = lastCleaning.withLock { last in
            guard now - last >= Self.interval else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        environment.activity.run("housekeeping") { [self] in
            // Worth no failure: what is left is taken away another day.
            try? await clean(at: now)
        }
    }

    private func clean(at now: Timestamp) async throws {
        try await accounts.dropExpired()
        try await chat.dropTransactions()
        try await accounts.database.write { connection in
            try connection.run(
                "UPDATE server SET value = ? WHERE name = ?", String(now.milliseconds), Self.mark)
        }
    }
}

/// Tells the housekeeper of every request.
struct KeptHandler: HTTPHandler {
    let handler: any HTTPHandler
    let housekeeper: Housekeeper

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        housekeeper.noteRequest()
        return await handler.respond(to: request)
    }
}
