import Foundation
import Models
import Testing

@testable import Workers

@Suite("SessionStore")
struct SessionStoreTests {
    private let folder = TemporaryFolder()
    private let key = SessionKey(endpoint: "http://127.0.0.1:1", kind: .words)
    private let clock = VirtualClock(now: start)

    private var store: SessionStore { SessionStore(home: folder.url.appendingPathComponent("home"), clock: clock) }
    private var file: String { folder.url.appendingPathComponent("home/session/sessions.json").path }

    private func save(_ session: Session, _ key: SessionKey) async throws {
        try await store.locked(failure: { $0 }) { held throws(SessionStore.Failure) in try held.save(session, for: key)
        }
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("what is saved is there again, all of it")
    func roundTrip() async throws {
        try await save(session(), key)

        #expect(try store.session(of: key) == session())
    }

    @Test("without a file there is no session")
    func none() throws {
        #expect(try store.session(of: key) == nil)
    }

    @Test("the file is for its owner only, in a folder for its owner only, and nothing else is left there")
    func modes() async throws {
        try await save(session(), key)

        #expect(try mode(file) == 0o600)
        #expect(try mode((file as NSString).deletingLastPathComponent) == 0o700)
        #expect(try mode(folder.url.appendingPathComponent("home").path) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: (file as NSString).deletingLastPathComponent)
        #expect(names.sorted() == ["sessions.json", "sessions.lock"])
    }

    @Test("a file that others may read is closed to them when it is read")
    func tightened() async throws {
        try await save(session(), key)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)

        _ = try store.session(of: key)

        #expect(try mode(file) == 0o600)
    }

    @Test("sessions of other servers and other kinds stay, and are not taken for this one's")
    func keys() async throws {
        let other = SessionKey(endpoint: "http://127.0.0.1:2", kind: .words)
        let matrix = SessionKey(endpoint: key.endpoint, kind: .matrix)
        try await save(session(access: "one"), key)
        try await save(session(access: "two"), other)

        try await store.locked(failure: { $0 }) { held throws(SessionStore.Failure) in
            try held.remove(alice, for: key)
        }

        #expect(try store.session(of: key) == nil)
        #expect(try store.session(of: other)?.userToken.accessToken == Secret("two"))
        #expect(try store.session(of: matrix) == nil)
    }

    @Test("the same person's newer session takes the older one's place; another person's comes beside it")
    func people() async throws {
        var bobs = session(access: "bob")
        bobs.user.chatID = bob
        try await save(session(access: "one"), key)
        try await save(bobs, key)
        try await save(session(access: "two"), key)

        let stored = try await store.locked(failure: { $0 }) { held throws(SessionStore.Failure) in
            (try held.session(of: key, user: alice), try held.session(of: key, user: bob))
        }

        #expect(stored.0?.userToken.accessToken == Secret("two"))
        #expect(stored.1?.userToken.accessToken == Secret("bob"))
        #expect(try store.session(of: key)?.user.chatID == alice)
    }

    @Test(
        "a file that cannot be understood is named, and not written over",
        arguments: [
            "{", #"{"version":2,"sessions":[]}"#, "[]", String(repeating: "[", count: 10_000),
        ])
    func unreadable(content: String) async throws {
        try await save(session(), key)
        try Data(content.utf8).write(to: URL(fileURLWithPath: file))

        let reading = #expect(throws: SessionStore.Failure.self) { try store.session(of: key) }
        await #expect(throws: SessionStore.Failure.self) { try await save(session(), key) }

        #expect(reading?.message.contains(file) == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(content.utf8))
    }

    @Test("a crash between draft and file leaves the old sessions, and the draft is no obstacle")
    func leftOverDraft() async throws {
        try await save(session(access: "one"), key)
        try Data("half".utf8).write(to: URL(fileURLWithPath: file + ".new"))
        let before = try store.session(of: key)

        try await save(session(access: "two"), key)

        #expect(before?.userToken.accessToken == Secret("one"))
        #expect(try store.session(of: key)?.userToken.accessToken == Secret("two"))
    }

    @Test("a folder that cannot be made is a failure with its name")
    func unwritable() async throws {
        let blocked = folder.url.appendingPathComponent("file")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data().write(to: blocked)
        let store = SessionStore(home: blocked, clock: clock)

        let failure = await #expect(throws: SessionStore.Failure.self) {
            try await store.locked(failure: { $0 }) { held throws(SessionStore.Failure) in
                try held.save(session(), for: key)
            }
        }

        #expect(failure?.message.contains(blocked.path) == true)
    }

    @Test("of a session that has run out no token stays, but whose it was and on which device")
    func expired() async throws {
        var kept = session()
        kept.userToken.deviceID = DeviceID("DEVICE")
        try await save(kept, key)
        try await remove(alice, key, isExpired: true)

        let text = try String(contentsOfFile: file, encoding: .utf8)
        let isExpired = try store.hasExpired(at: key.endpoint, of: nil)

        #expect(!text.contains("access-0") && !text.contains("refresh-0"))
        #expect(try store.session(of: key) == nil)
        #expect(isExpired)
        #expect(try store.hasExpired(at: key.endpoint, of: .matrix) == false)
        #expect(try store.hasExpired(at: "http://127.0.0.1:2", of: nil) == false)
        for identity in ["alice@words.test", " Alice@Words.test ", "alice", "@alice", "@alice:words.test"] {
            #expect(
                try store.device(for: identity, at: key.endpoint, of: key.kind) == DeviceID("DEVICE"), "\(identity)")
        }
        for identity in ["bob", "bob@words.test", "@alice:other.test", ""] {
            #expect(try store.device(for: identity, at: key.endpoint, of: key.kind) == nil, "\(identity)")
        }
    }

    @Test("it has run out for good with its owner's next session, or once it is removed")
    func noLongerExpired() async throws {
        try await save(session(), key)
        try await remove(alice, key, isExpired: true)
        try await save(session(access: "new"), key)
        let afterSaving = try store.hasExpired(at: key.endpoint, of: nil)
        try await remove(alice, key, isExpired: true)
        let before = try store.hasExpired(at: key.endpoint, of: nil)
        try await remove(alice, key, isExpired: false)

        #expect(!afterSaving)
        #expect(before)
        #expect(try store.hasExpired(at: key.endpoint, of: nil) == false)
    }

    @Test("a file of a version that knew nothing of it is read")
    func olderFile() async throws {
        try await save(session(), key)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let older = text.replacingOccurrences(of: #""expired":[],"#, with: "")
        try Data(older.utf8).write(to: URL(fileURLWithPath: file))

        #expect(older != text)
        #expect(try store.session(of: key) == session())
        #expect(try store.hasExpired(at: key.endpoint, of: nil) == false)
    }

    private func remove(_ user: UserID, _ key: SessionKey, isExpired: Bool) async throws {
        try await store.locked(failure: { $0 }) { held throws(SessionStore.Failure) in
            try held.remove(user, for: key, isExpired: isExpired)
        }
    }

    @Test("only one at a time holds the lock; whoever waits for it comes in once it is free")
    func lock() async throws {
        let order = Locked<[String]>([])
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = Task { [store] in
            try await store.locked(failure: { $0 }) { _ throws(SessionStore.Failure) in
                order.withLock { $0.append("first in") }
                for await _ in gate { break }
                order.withLock { $0.append("first out") }
            }
        }
        while order.withLock({ $0.isEmpty }) { await Task.yield() }
        let others = ["second", "third"].map { name in
            Task { [store] in
                try await store.locked(failure: { $0 }) { _ throws(SessionStore.Failure) in
                    order.withLock { $0.append("\(name) in") }
                    for _ in 0..<100 { await Task.yield() }
                    order.withLock { $0.append("\(name) out") }
                }
            }
        }
        while clock.nextDeadline == nil, order.withLock({ $0.count }) < 5 { await Task.yield() }
        let early = order.withLock { $0 }

        open.yield()
        try await first.value
        for other in others { try await other.value }

        #expect(early == ["first in"])
        let rest = order.withLock { Array($0.dropFirst()) }
        #expect(
            rest == ["first out", "second in", "second out", "third in", "third out"]
                || rest == ["first out", "third in", "third out", "second in", "second out"])
    }

    @Test("whoever waits too long for the lock is told so")
    func lockTimeout() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let isIn = Locked(false)
        let isHad = Locked(false)
        let holder = Task { [store] in
            try await store.locked(failure: { $0 }) { _ throws(SessionStore.Failure) in
                isIn.withLock { $0 = true }
                for await _ in gate { break }
            }
        }
        while !isIn.withLock({ $0 }) { await Task.yield() }
        let waiter = Task { [store] in
            try await store.locked(failure: { $0 }) { _ throws(SessionStore.Failure) in isHad.withLock { $0 = true } }
        }
        while clock.nextDeadline == nil, !isHad.withLock({ $0 }) { await Task.yield() }

        _ = clock.fireNext(upTo: start + .seconds(90))

        await #expect(throws: SessionStore.Failure.self) { try await waiter.value }
        open.yield()
        try await holder.value
    }
}
