import Foundation
import Models

@testable import Workers

/// The answer of a sync: refused, or worked in so that the same once more changes nothing.
enum SyncTarget {
    static func problem(with input: [UInt8]) -> String? {
        let data = Data(input)
        _ = try? JSONValue(parsing: data)
        guard let batch = MatrixShapes.Sync(data) else { return nil }
        var ledger = ChatLedger(ownID: UserID("@bob:words.test"))
        let now = Timestamp(milliseconds: 1_767_603_600_000)
        _ = ledger.apply(batch, partSize: 256, now: now)
        let once = ledger.state
        _ = ledger.apply(batch, partSize: 256, now: now)
        for (id, room) in ledger.state.rooms {
            let items = room.timeline.items
            if Set(items.map(\.id)).count != items.count { return "an event twice in \(id)" }
            if items.count != once.rooms[id]?.timeline.items.count { return "lines of \(id) came with the repetition" }
            if room != once.rooms[id] { return "the repetition changed \(id)" }
        }
        return ledger.state == once ? nil : "the repetition changed what is no room's"
    }
}
