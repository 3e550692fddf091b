import SQLite

/// The tables, and how older ones become newer ones.
enum Schema {
    /// Kept in `user_version`; raised by one with every step added to `steps`.
    static var version: Int { steps.count }

    private static let steps = [accounts + rooms + people, addresses, expiries]

    static func upgrade(_ connection: SQLiteConnection, from found: Int) throws {
        guard found < version else { return }
        try connection.transaction {
            for step in steps[found...] { try connection.execute(step) }
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Times are milliseconds since the epoch; of tokens only the SHA-256 is kept. `generation` is explained at
    /// `SessionTable`.
    private static let accounts = """
        CREATE TABLE server (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        );
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            local_part TEXT UNIQUE NOT NULL,
            name TEXT NOT NULL,
            email TEXT UNIQUE,
            password_hash TEXT,
            avatar_url TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account_id INTEGER NOT NULL REFERENCES accounts (id),
            device_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            display_name TEXT,
            created_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            generation INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account_id, device_id)
        );
        CREATE TABLE tokens (
            hash BLOB PRIMARY KEY,
            session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            expires_at INTEGER,
            generation INTEGER NOT NULL
        );
        CREATE INDEX tokens_by_session ON tokens (session_id);
        CREATE TABLE blocks (
            owner_id INTEGER NOT NULL REFERENCES accounts (id),
            blocked_id INTEGER NOT NULL REFERENCES accounts (id),
            PRIMARY KEY (owner_id, blocked_id)
        );

        """

    /// Where each session was last seen.
    private static let addresses = "ALTER TABLE sessions ADD COLUMN last_seen_address TEXT;"

    /// For looking for what has expired.
    private static let expiries = """
        CREATE INDEX tokens_by_expiry ON tokens (expires_at, session_id) WHERE expires_at IS NOT NULL;
        """

    /// Every event, receipt and piece of account data has a place in one stream, given in the order of the commits.
    /// The state of a room is its newest state events; `memberships` is drawn from them for the sake of speed.
    private static let rooms = """
        CREATE TABLE stream (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            position INTEGER NOT NULL
        );
        INSERT INTO stream VALUES (1, 0);
        CREATE TABLE rooms (
            room_id TEXT PRIMARY KEY,
            creator TEXT NOT NULL,
            version TEXT NOT NULL,
            is_listed INTEGER NOT NULL DEFAULT 0,
            first_person TEXT,
            second_person TEXT,
            created_at INTEGER NOT NULL,
            UNIQUE (first_person, second_person)
        );
        CREATE TABLE events (
            position INTEGER PRIMARY KEY,
            event_id TEXT UNIQUE NOT NULL,
            room_id TEXT NOT NULL REFERENCES rooms (room_id),
            type TEXT NOT NULL,
            state_key TEXT,
            sender TEXT NOT NULL,
            sent_at INTEGER NOT NULL,
            content BLOB NOT NULL,
            notifies INTEGER NOT NULL,
            replaces INTEGER,
            redacts TEXT,
            redacted_by INTEGER,
            device_id TEXT,
            transaction_id TEXT
        );
        CREATE INDEX events_by_room ON events (room_id, position);
        CREATE INDEX events_by_state ON events (room_id, type, state_key, position) WHERE state_key IS NOT NULL;
        CREATE INDEX events_to_notify ON events (room_id, position) WHERE notifies;
        CREATE TABLE memberships (
            room_id TEXT NOT NULL REFERENCES rooms (room_id),
            user_id TEXT NOT NULL,
            membership TEXT NOT NULL,
            position INTEGER NOT NULL,
            invited_at INTEGER NOT NULL,
            joined_at INTEGER NOT NULL,
            left_at INTEGER NOT NULL,
            is_forgotten INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (room_id, user_id)
        ) WITHOUT ROWID;
        CREATE INDEX memberships_by_user ON memberships (user_id, membership);
        CREATE TABLE aliases (
            alias TEXT PRIMARY KEY,
            room_id TEXT NOT NULL REFERENCES rooms (room_id),
            creator TEXT NOT NULL
        );
        CREATE TABLE transactions (
            user_id TEXT NOT NULL,
            device_id TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            event_id TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, device_id, endpoint, transaction_id)
        ) WITHOUT ROWID;

        """

    private static let people = """
        CREATE TABLE receipts (
            room_id TEXT NOT NULL REFERENCES rooms (room_id),
            user_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            event_id TEXT NOT NULL,
            event_position INTEGER NOT NULL,
            read_at INTEGER NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (room_id, user_id, kind)
        ) WITHOUT ROWID;
        CREATE INDEX receipts_by_position ON receipts (room_id, position);
        CREATE TABLE account_data (
            user_id TEXT NOT NULL,
            room_id TEXT NOT NULL,
            type TEXT NOT NULL,
            content BLOB NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (user_id, room_id, type)
        ) WITHOUT ROWID;
        CREATE TABLE filters (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id TEXT NOT NULL,
            content BLOB NOT NULL,
            UNIQUE (user_id, content)
        );
        CREATE TABLE presence (
            user_id TEXT PRIMARY KEY,
            last_active_at INTEGER NOT NULL,
            status_message TEXT
        ) WITHOUT ROWID;
        """
}
