import Models
import SQLite

/// The server's name, which all ids bear and which therefore never changes once there is a database.
enum StoredServerName {
    /// The stored name, or `asked` (by default `localhost`) where none is stored yet. Throws `ServerError` where another
    /// one is stored.
    static func settle(asked: String?, path: String) throws -> String {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        return try connection.transaction {
            let stored = try connection.first("SELECT value FROM server WHERE name = 'server_name'") { $0.text(0) }
            if let stored {
                if let asked, asked != stored { throw ServerError.otherServerName(stored: stored, asked: asked) }
                return stored
            }
            let name = asked ?? ServerConfiguration.defaultServerName
            try connection.run("INSERT INTO server (name, value) VALUES ('server_name', ?)", name)
            return name
        }
    }
}
