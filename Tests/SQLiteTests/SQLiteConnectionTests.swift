import Foundation
import Testing

@testable import SQLite

@Suite("SQLiteConnection")
struct SQLiteConnectionTests {
    private let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection(path: ":memory:")
        try connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE, data BLOB, number REAL)")
    }

    @Test("what is bound comes back byte for byte, empty and null apart")
    func values() throws {
        let text = "a\u{0}é\r\n"

        try connection.run("INSERT INTO notes VALUES (?, ?, ?, ?)", 1, text, [0, 255] as [UInt8], 1.5)
        try connection.run("INSERT INTO notes VALUES (?, ?, ?, ?)", 2, "", [] as [UInt8], nil as Double?)

        let first = try connection.first("SELECT text, data, number FROM notes WHERE id = 1") {
            ($0.text(0), $0.blob(1), $0.real(2))
        }
        #expect(first?.0.utf8.elementsEqual(text.utf8) == true)
        #expect(first?.1 == [0, 255])
        #expect(first?.2 == 1.5)
        let second = try connection.first("SELECT text, data, number FROM notes WHERE id = 2") {
            ($0.optionalText(0), $0.optionalBlob(1), $0.isNull(2))
        }
        #expect(second?.0 == "")
        #expect(second?.1 == [])
        #expect(second?.2 == true)
    }

    @Test("the wrong number of values is refused, not filled up with NULL")
    func count() throws {
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO notes (id) VALUES (?)") }
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO notes (id) VALUES (?)", 1, 2) }
    }

    @Test("a broken constraint is told apart from other failures")
    func constraint() throws {
        try connection.run("INSERT INTO notes (text) VALUES (?)", "once")

        let error = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO notes (text) VALUES (?)", "once")
        }

        #expect(error?.kind == .constraint)
        #expect(error?.message.contains("notes.text") == true)
    }

    @Test("a transaction that throws leaves nothing")
    func transaction() throws {
        struct Stop: Error {}

        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO notes (id) VALUES (1)")
                throw Stop()
            }
        }

        #expect(try connection.exists("SELECT 1 FROM notes") == false)
        #expect(!connection.isInTransaction)
    }

    @Test("a savepoint that throws undoes its own part alone")
    func savepoint() throws {
        struct Stop: Error {}

        try connection.transaction {
            try connection.run("INSERT INTO notes (id) VALUES (1)")
            try? connection.savepoint {
                try connection.run("INSERT INTO notes (id) VALUES (2)")
                throw Stop()
            }
        }

        #expect(try connection.rows("SELECT id FROM notes") { $0.integer(0) } == [1])
    }

    @Test("the same statement may be used while it is in use")
    func nested() throws {
        for id in 1...3 { try connection.run("INSERT INTO notes (id) VALUES (?)", id) }

        func sums(_ depth: Int) throws -> [Int64] {
            try connection.rows("SELECT id FROM notes ORDER BY id") { row in
                depth == 0 ? row.integer(0) : try sums(depth - 1).reduce(row.integer(0), +)
            }
        }

        #expect(try sums(1) == [7, 8, 9])
        #expect(try sums(0) == [1, 2, 3])
    }

    @Test("a file that cannot be opened says so")
    func cannotOpen() {
        let error = #expect(throws: SQLiteError.self) {
            _ = try SQLiteConnection(path: "/nowhere/at/all.db")
        }

        #expect(error?.kind == .cannotOpen)
    }
}
