import SQLite

/// The tables of a client's store.
enum StoreSchema {
    /// Of `PRAGMA user_version`. A file with a higher one is left alone.
    static let version = 3

    /// Room numbers stand for room ids, which are long. `ordinal` tells the order of a timeline: it rises downwards.
    static let tables = """
        CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE rooms (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, membership TEXT NOT NULL, name TEXT, alias TEXT,
            join_rule TEXT, creator TEXT, inviter TEXT, heroes TEXT NOT NULL, joined INTEGER, invited INTEGER,
            unread INTEGER NOT NULL, known_members INTEGER NOT NULL, older_position TEXT, read_up_to TEXT,
            direct_inviter TEXT, newest_id TEXT, newest_sender TEXT, newest_at INTEGER, newest_kind INTEGER,
            newest_text TEXT, newest_transaction TEXT, deletion INTEGER NOT NULL DEFAULT 0,
            is_direct INTEGER NOT NULL DEFAULT 0, is_encrypted INTEGER NOT NULL DEFAULT 0, replacement TEXT);
        CREATE TABLE members (
            room INTEGER NOT NULL, id TEXT NOT NULL, name TEXT, membership TEXT NOT NULL,
            PRIMARY KEY (room, id)) WITHOUT ROWID;
        CREATE TABLE items (
            room INTEGER NOT NULL, id TEXT NOT NULL, ordinal INTEGER NOT NULL, sender TEXT NOT NULL, at INTEGER,
            kind INTEGER NOT NULL, text TEXT NOT NULL, transaction_id TEXT, PRIMARY KEY (room, id)) WITHOUT ROWID;
        CREATE INDEX items_by_order ON items (room, ordinal);
        CREATE TABLE marks (
            room INTEGER NOT NULL, kind INTEGER NOT NULL, event TEXT NOT NULL,
            PRIMARY KEY (room, kind, event)) WITHOUT ROWID;
        CREATE TABLE edits (
            room INTEGER NOT NULL, target TEXT NOT NULL, sender TEXT NOT NULL, kind INTEGER NOT NULL,
            text TEXT NOT NULL, PRIMARY KEY (room, target, sender)) WITHOUT ROWID;
        CREATE TABLE gaps (
            room INTEGER NOT NULL, id TEXT NOT NULL, position TEXT NOT NULL, ending TEXT, is_deferred INTEGER NOT NULL,
            PRIMARY KEY (room, id)) WITHOUT ROWID;
        CREATE TABLE direct_rooms (
            user TEXT NOT NULL, place INTEGER NOT NULL, room TEXT NOT NULL, PRIMARY KEY (user, place)) WITHOUT ROWID;
        CREATE TABLE presences (id TEXT PRIMARY KEY, state TEXT NOT NULL, last_active_at INTEGER) WITHOUT ROWID;
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT, transaction_id TEXT NOT NULL UNIQUE, room TEXT NOT NULL,
            body TEXT NOT NULL, content BLOB NOT NULL, created_at INTEGER NOT NULL, state INTEGER NOT NULL,
            event TEXT, reason TEXT);
        CREATE TABLE contacts (
            place INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL, email TEXT, chat_id TEXT NOT NULL,
            room TEXT NOT NULL, room_name TEXT, room_creator TEXT, is_private INTEGER NOT NULL,
            created_at INTEGER, updated_at INTEGER);
        """

    /// What turns the tables of version 1 into those of version 2, and so on.
    static let migrations = [
        "ALTER TABLE rooms ADD COLUMN deletion INTEGER NOT NULL DEFAULT 0;",
        """
        ALTER TABLE rooms ADD COLUMN is_direct INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE rooms ADD COLUMN is_encrypted INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE rooms ADD COLUMN replacement TEXT;
        UPDATE rooms SET is_direct = direct_inviter IS NOT NULL;
        """,
    ]

    /// What every connection needs.
    static let settings = """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4000;
        """
}
