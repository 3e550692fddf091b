import Foundation
import Models
import SQLite

@testable import Workers

/// One home folder, and the runs of the app that use it one after another.
final class StoredClient: Sendable {
    let folder = TemporaryFolder()
    let clock = VirtualClock(now: start)
    let key = SessionKey(endpoint: "http://127.0.0.1:1", kind: .words)
    private let fault = Locked<Fault?>(nil)

    /// What statements that write fail with: after `skipped` that do not, so many of them.
    private struct Fault {
        var error: SQLiteError
        var skipped: Int
        var count: Int
    }

    func failWrites(_ error: SQLiteError, after skipped: Int = 0, count: Int = .max) {
        fault.withLock { $0 = Fault(error: error, skipped: skipped, count: count) }
    }

    func mendWrites() { fault.withLock { $0 = nil } }

    private func nextFault() -> SQLiteError? {
        fault.withLock { fault in
            guard let now = fault else { return nil }
            if now.skipped > 0 {
                fault?.skipped -= 1
                return nil
            }
            fault = now.count > 1 ? Fault(error: now.error, skipped: 0, count: now.count - 1) : nil
            return now.error
        }
    }

    var home: URL { folder.url.appendingPathComponent("home") }
    var file: StoreFile { StoreFile(home: home, key: key, user: alice) }

    var stores: FileClientStores {
        FileClientStores(
            home: home, server: ServerIdentity(endpoint: key.endpoint, kind: key.kind), clock: clock,
            faults: StoreFaults { [weak self] () throws(SQLiteError) in if let error = self?.nextFault() { throw error }
            })
    }

    /// A new process: nothing is connected yet.
    func launch(
        partSize: Int = ClientOptions().partSize, _ wrap: (any ClientStores) -> any ClientStores = { $0 }
    ) async -> StoredRun {
        let stores = wrap(stores)
        return await StoredRun(stores, clock, partSize: partSize)
    }

    /// A new process that has had `batches`, one after another.
    func run(_ batches: String...) async throws -> StoredRun {
        let run = await launch()
        for (index, batch) in batches.enumerated() {
            try run.service.answer(batch)
            if index == 0 { await run.worker.connect(session()) }
            await run.activity.idle()
        }
        return run
    }

    /// What a look at the disk shows.
    func stored() async throws -> StoredChat { try await stores.store(of: alice).load() }
}

struct StoredRun {
    let worker: ChatWorker
    let service: StubChatService
    let clock: VirtualClock
    let activity = Activity()
    let heard = ConnectedWorker.Heard()
    let subscription: any ChatSubscription

    init(_ stores: any ClientStores, _ clock: VirtualClock, partSize: Int) async {
        let service = StubChatService(activity)
        self.service = service
        self.clock = clock
        // Every run has a stream of its own, as processes have.
        let seed = UInt64.random(in: 1 ... .max)
        var options = ClientOptions(polls: .counted)
        options.partSize = partSize
        worker = ChatWorker(
            environment: .virtual(clock: clock, seed: seed, activity: activity), options: options, stores: stores
        ) { _ in service }
        subscription = await worker.subscribe { [heard] in heard.updates.append($0) }
    }

    /// Connects with a network that is down.
    func connectOffline() async {
        service.answer(.failure(.network(.unreachable)))
        await worker.connect(session())
        await activity.idle()
    }

    func news(_ json: String) async throws {
        try service.answer(json)
        await activity.idle()
    }

    func advance(_ duration: Duration) async { await clock.advance(by: duration) { await activity.idle() } }

    var state: ChatState? { get async { await worker.currentState() } }
    var room: RoomState? { get async { await state?.rooms[lobby] } }
    var bodies: [String] { get async { (await room?.timeline.items ?? []).map(\.text) } }
    var outgoing: [OutgoingMessage.State] { get async { (await room?.timeline.outgoing ?? []).map(\.state) } }

    var sends: [StubChatService.Call] { service.calls.filter { if case .send = $0 { true } else { false } } }
    var transactions: [TransactionID] { sends.compactMap { if case .send(let id, _) = $0 { id } else { nil } } }
}

extension TimelineItem {
    /// A message's body, or what else it is.
    var text: String {
        switch content {
        case .message(let message): message.body.unsanitised
        case .gap: "gap"
        case .joined(let person): "\(person) joined"
        case .left(let person): "\(person) left"
        }
    }
}

let diskFull = SQLiteError(code: 13, message: "database or disk is full")
let ioError = SQLiteError(code: 10, message: "disk I/O error")

/// Files of SQLite, from outside.
enum SQLiteFiles {
    static let corrupt = SQLiteError(code: 11, message: "database disk image is malformed")

    static func execute(_ script: String, _ path: String) throws {
        try SQLiteConnection(path: path, mode: .readWrite).execute(script)
    }

    /// The permission bits of a file or folder.
    static func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
    }
}

/// A store that waits before each write until it is let go.
final class HeldStores: ClientStores {
    private let inner: any ClientStores
    private let gate: Gate

    init(_ inner: any ClientStores, _ gate: Gate) {
        self.inner = inner
        self.gate = gate
    }

    func store(of user: UserID) -> any ClientStore { HeldStore(inner: inner.store(of: user), gate: gate) }
    func wipe(_ user: UserID) async { await inner.wipe(user) }
}

actor Gate {
    private(set) var saves: [StoreChanges] = []
    private var isShut = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var arrivals: [CheckedContinuation<Void, Never>] = []

    func shut() { isShut = true }

    func open() {
        isShut = false
        waiting.forEach { $0.resume() }
        waiting = []
    }

    /// Returns once a write waits at the gate.
    func arrival() async {
        guard waiting.isEmpty else { return }
        await withCheckedContinuation { arrivals.append($0) }
    }

    func pass(_ changes: StoreChanges) async {
        saves.append(changes)
        guard isShut else { return }
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            arrivals.forEach { $0.resume() }
            arrivals = []
        }
    }
}

private struct HeldStore: ClientStore {
    let inner: any ClientStore
    let gate: Gate

    func load() async throws(StoreFailure) -> StoredChat { try await inner.load() }
    func timeline(of room: RoomID) async throws(StoreFailure) -> StoredTimeline? { try await inner.timeline(of: room) }
    func items(in room: RoomID, above event: EventID, limit: Int) async throws(StoreFailure) -> StoredPage {
        try await inner.items(in: room, above: event, limit: limit)
    }
    func save(_ changes: StoreChanges) async throws(StoreFailure) {
        await gate.pass(changes)
        try await inner.save(changes)
    }
    func contacts() async throws(StoreFailure) -> [Contact]? { try await inner.contacts() }
    func save(_ contacts: [Contact]) async throws(StoreFailure) { try await inner.save(contacts) }
    func wipe() async { await inner.wipe() }
}
