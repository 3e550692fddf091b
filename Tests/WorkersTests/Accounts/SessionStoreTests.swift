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

    @Test("only one at a time holds the lock, and a holder that does not let go is told after a while")
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
        let second = Task { [store] in
            try await store.locked(failure: { $0 }) { _ throws(SessionStore.Failure) in
                order.withLock { $0.append("second in") }
            }
        }
        let third = Task { [store] in
            try await store.locked(failure: { $0 }) { _ throws(SessionStore.Failure) in }
        }
        while clock.nextDeadline == nil { await Task.yield() }

        open.yield()
        try await first.value
        try await second.value
        try await third.value

        #expect(order.withLock { $0 } == ["first in", "first out", "second in"])
    }

    @Test("whoever waits too long for the lock is told so")
    func lockTimeout() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let isIn = Locked(false)
        let holder = Task { [store] in
            try await store.locked(failure: { $0 }) { _ throws(SessionStore.Failure) in
                isIn.withLock { $0 = true }
                for await _ in gate { break }
            }
        }
        while !isIn.withLock({ $0 }) { await Task.yield() }
        let waiter = Task { [store] in
            try await store.locked(failure: { $0 }) { _ throws(SessionStore.Failure) in }
        }
        while clock.nextDeadline == nil { await Task.yield() }

        _ = clock.fireNext(upTo: start + .seconds(90))

        await #expect(throws: SessionStore.Failure.self) { try await waiter.value }
        open.yield()
        try await holder.value
    }
}
