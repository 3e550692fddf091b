import Foundation
import Models

/// The stores in the files of one home, for one server: `store/….sqlite`, each 0600 in a 0700 folder.
final class FileClientStores: ClientStores {
    private let home: URL
    private let server: ServerIdentity
    private let clock: any WallClock
    private let faults: StoreFaults
    private let stores = Locked<[UserID: SQLiteClientStore]>([:])

    init(home: URL, server: ServerIdentity, clock: any WallClock, faults: StoreFaults = StoreFaults()) {
        self.home = home
        self.server = server
        self.clock = clock
        self.faults = faults
    }

    func store(of user: UserID) -> any ClientStore { file(of: user) }

    func file(of user: UserID) -> SQLiteClientStore {
        stores.withLock { stores in
            if let store = stores[user] { return store }
            let key = server.key
            let store = SQLiteClientStore(
                file: StoreFile(home: home, key: key, user: user),
                owner: [key.endpoint, key.kind.rawValue, user.raw].joined(separator: "\n"), clock: clock, faults: faults
            )
            stores[user] = store
            return store
        }
    }

    func wipe(_ user: UserID) async {
        let store = file(of: user)
        stores.withLock { if $0[user] === store { $0[user] = nil } }
        await store.wipe()
    }
}

/// Stores that end with the process. Unsent messages and contacts are kept; rooms are not, and neither is the position,
/// so that they come again from the server.
final class MemoryClientStores: ClientStores {
    private let stores = Locked<[UserID: MemoryClientStore]>([:])

    func store(of user: UserID) -> any ClientStore {
        stores.withLock { stores in
            let store = stores[user] ?? MemoryClientStore()
            stores[user] = store
            return store
        }
    }

    func wipe(_ user: UserID) async { stores.withLock { $0[user] = nil } }
}

actor MemoryClientStore: ClientStore {
    private var messages: [StoredMessage] = []
    private var kept: [Contact]?

    func load() async throws(StoreFailure) -> StoredChat { StoredChat(outbox: messages) }
    func timeline(of room: RoomID) async throws(StoreFailure) -> StoredTimeline? { nil }
    func items(in room: RoomID, above event: EventID, limit: Int) async throws(StoreFailure) -> StoredPage {
        StoredPage(items: [], hasOlder: false)
    }

    func save(_ changes: StoreChanges) async throws(StoreFailure) {
        for change in changes.outbox {
            switch change {
            case .put(let message):
                let id = message.entry.message.transactionID
                let index = messages.firstIndex { $0.entry.message.transactionID == id }
                if let index { messages[index] = message } else { messages.append(message) }
            case .remove(let id): messages.removeAll { $0.entry.message.transactionID == id }
            }
        }
    }

    func contacts() async throws(StoreFailure) -> [Contact]? { kept }
    func save(_ contacts: [Contact]) async throws(StoreFailure) { kept = contacts }

    func wipe() async {
        messages = []
        kept = nil
    }
}
