import Foundation
import Models
import SQLite
import Testing

@testable import Workers

/// One batch after another, each with a message sent and its echo: after step n exactly the first n are there.
@Suite("A store that dies")
struct StoreCrashIntegrationTests {
    private static let steps = 6

    /// What step `number` stores: a batch with its position, one message that was sent before, and the next one to send.
    private static func changes(_ number: Int) -> StoreChanges {
        var room = RoomState(id: lobby, membership: .join)
        let item = TimelineItem(
            id: EventID("$\(number)"), sender: bob, timestamp: start, content: .message(Message(body: "m\(number)")))
        room.timeline.items = [item]
        room.unreadCount = number
        var changes = StoreChanges(outbox: [.remove(TransactionID("t\(number - 1)")), .put(message(number))])
        var part = RoomChanges(room: room, ledger: RoomLedger())
        part.items = [.append([item])]
        part.members = [Member(id: bob, displayName: "Bob \(number)", membership: .join)]
        part.marks = [RoomChanges.Mark(kind: .seen, event: EventID("$hidden-\(number)"))]
        changes.rooms = [part]
        changes.presences = [bob: Presence(state: .online, lastActiveAt: Timestamp(milliseconds: Int64(number)))]
        changes.directRooms = [bob: [lobby, RoomID("!\(number):words.test")]]
        changes.position = .move(to: "s\(number)")
        changes.isDurable = number.isMultiple(of: 2)
        return changes
    }

    private static func message(_ number: Int) -> StoredMessage {
        let message = OutgoingMessage(
            transactionID: TransactionID("t\(number)"), body: "x", createdAt: start, state: .waiting)
        return StoredMessage(room: lobby, entry: Outbox.Entry(message: message, content: Data("{}".utf8)))
    }

    /// The step up to which all is there; a record where anything of a later one is, or something of an earlier is not.
    private static func check(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int {
        let store = SQLiteClientStore(file: StoreFile(path: path), owner: "owner", clock: VirtualClock(now: start))
        let chat = try await store.load()
        guard chat.notice == nil else { return -1 }
        let number = chat.position.flatMap { Int($0.dropFirst()) } ?? 0
        let timeline = try await store.timeline(of: lobby)
        let expected = (0..<number).map { "m\($0 + 1)" }
        #expect((timeline?.items ?? []).map(\.text) == expected, sourceLocation: sourceLocation)
        #expect(chat.outbox == (number > 0 ? [message(number)] : []), sourceLocation: sourceLocation)
        #expect(chat.rooms.first?.unreadCount ?? 0 == number, sourceLocation: sourceLocation)
        #expect(chat.presences[bob]?.lastActiveAt?.milliseconds ?? 0 == Int64(number), sourceLocation: sourceLocation)
        #expect(timeline?.ledger.known.count ?? 0 == 2 * number, sourceLocation: sourceLocation)
        return number
    }

    private static func copy(_ path: String, to target: String, _ suffixes: [String] = ["", "-wal"]) throws {
        for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: target + suffix)
        }
    }

    @Test("killed at any write, it has all that was acknowledged and nothing by halves")
    func killed() async throws {
        let folder = TemporaryFolder()
        let path = folder.url.path + "/store.sqlite"
        let writes = Locked((count: 0, acknowledged: 0, copies: [(path: String, acknowledged: Int)]()))
        let faults = StoreFaults { () throws(SQLiteError) in
            let (number, acknowledged) = writes.withLock { writes in
                writes.count += 1
                return (writes.count, writes.acknowledged)
            }
            let target = "\(folder.url.path)/killed-\(number)"
            guard (try? Self.copy(path, to: target)) != nil else { return }
            writes.withLock { $0.copies.append((target, acknowledged)) }
        }
        let store = SQLiteClientStore(
            file: StoreFile(path: path), owner: "owner", clock: VirtualClock(now: start), faults: faults)

        for number in 1...Self.steps {
            try await store.save(Self.changes(number))
            writes.withLock { $0.acknowledged = number }
        }

        let copies = writes.withLock { $0.copies }
        #expect(copies.count > Self.steps * 9)
        for copy in copies { #expect(try await Self.check(copy.path) == copy.acknowledged) }
    }

    @Test("where any one write fails, what was to be stored is not, by no half, and is stored by the next try")
    func failing() async throws {
        var number = 0
        var isDone = false
        while !isDone {
            let folder = TemporaryFolder()
            let path = folder.url.path + "/store.sqlite"
            let left = Locked(number)
            let error = number.isMultiple(of: 2) ? diskFull : ioError
            let store = SQLiteClientStore(
                file: StoreFile(path: path), owner: "owner", clock: VirtualClock(now: start),
                faults: StoreFaults { () throws(SQLiteError) in
                    let isNow = left.withLock { left in
                        left -= 1
                        return left == -1
                    }
                    if isNow { throw error }
                })
            for step in 1...2 {
                do throws(StoreFailure) { try await store.save(Self.changes(step)) } catch {
                    #expect(try await Self.check(path) == step - 1)
                    try await store.save(Self.changes(step))
                }
            }

            #expect(try await Self.check(path) == 2)
            isDone = left.withLock { $0 } >= 0
            number += 1
        }
        #expect(number > 20)
    }

    @Test(
        "with the file of changes cut anywhere, it is as it was after some step, and the later the cut the later the step"
    )
    func cut() async throws {
        let folder = TemporaryFolder()
        let path = folder.url.path + "/store.sqlite"
        let store = SQLiteClientStore(file: StoreFile(path: path), owner: "owner", clock: VirtualClock(now: start))
        for number in 1...Self.steps { try await store.save(Self.changes(number)) }
        let wal = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
        var last = 0

        // Every byte of the beginning and the end, and some between: frames are 4,120 bytes long.
        let cuts = Set(
            Array(0..<64) + Array(stride(from: 64, to: wal.count, by: 1_999)) + Array(wal.count - 8...wal.count))
        for cut in cuts.sorted() {
            let target = "\(folder.url.path)/cut-\(cut)"
            try Self.copy(path, to: target, [""])
            try wal.prefix(cut).write(to: URL(fileURLWithPath: target + "-wal"))
            let number = try await Self.check(target)
            #expect(number >= last)
            last = max(last, number)
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: target + suffix) }
        }

        #expect(last == Self.steps)
        _ = try await store.load()
    }

    @Test("with the file itself cut anywhere, it is whole or says that it is damaged")
    func cutFile() async throws {
        let folder = TemporaryFolder()
        let path = folder.url.path + "/store.sqlite"
        let store = SQLiteClientStore(file: StoreFile(path: path), owner: "owner", clock: VirtualClock(now: start))
        for number in 1...Self.steps { try await store.save(Self.changes(number)) }
        try SQLiteFiles.execute("PRAGMA wal_checkpoint(TRUNCATE)", path)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))

        for cut in [0, 1, 15, 16, 59, 60, 64, 99, 100, 511, 512, 4_095, 4_096]
            + Array(stride(from: 5_000, to: whole.count, by: 9_001)) + [whole.count - 3_000, whole.count - 1]
        {
            let target = "\(folder.url.path)/cut-\(cut)"
            try whole.prefix(cut).write(to: URL(fileURLWithPath: target))
            #expect(try await Self.check(target) == -1, "cut at \(cut)")
        }

        let target = folder.url.path + "/whole"
        try whole.write(to: URL(fileURLWithPath: target))
        #expect(try await Self.check(target) == Self.steps)
        _ = try await store.load()
    }
}
