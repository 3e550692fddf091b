import Foundation
import Models
import Testing

@testable import Workers

@Suite("What must be stored of a room")
struct RoomDifferenceTests {
    private func items(_ names: String) -> [TimelineItem] {
        names.split(separator: " ").map { name in
            TimelineItem(
                id: EventID(String(name)), sender: bob, timestamp: start,
                content: name == "GAP" ? .gap : .message(Message(body: RemoteText(String(name)))))
        }
    }

    @Test("news is appended, a page is put above, what closes a gap takes its place")
    func changes() {
        let a = items("a")
        #expect(RoomChanges.changes(from: [], to: items("a b")) == [.append(items("a b"))])
        #expect(RoomChanges.changes(from: a, to: items("a b")) == [.append(items("b"))])
        #expect(RoomChanges.changes(from: a, to: items("x y a")) == [.prepend(items("x y"))])
        #expect(
            RoomChanges.changes(from: items("a GAP b"), to: items("a x y b"))
                == [.insert(items("x y"), below: EventID("a")), .remove(EventID("GAP"))])
        #expect(
            RoomChanges.changes(from: items("a GAP b"), to: items("a GAP x b")) == [
                .insert(items("x"), below: EventID("GAP"))
            ])
        #expect(RoomChanges.changes(from: items("a b"), to: items("b")) == [.remove(EventID("a"))])
        #expect(RoomChanges.changes(from: a, to: a).isEmpty)
    }

    @Test("typing and one's own messages on their way are nothing to store of a room")
    func passing() {
        var room = RoomState(id: lobby, membership: .join)
        let before = RoomSnapshot(room: room, ledger: RoomLedger())
        room.typing = [bob]
        room.timeline.outgoing = [
            OutgoingMessage(transactionID: TransactionID("t"), body: "x", createdAt: start, state: .waiting)
        ]

        #expect(RoomChanges(from: before, to: RoomSnapshot(room: room, ledger: RoomLedger())) == nil)
    }

    @Test("whatever happens to a room, what is stored of it is what was known of it", arguments: 0..<8)
    func anything(_ seed: UInt64) async throws {
        let client = StoredClient()
        let store = client.stores.store(of: alice)
        var random = SplitMix64(state: seed)
        var snapshot: RoomSnapshot?
        var now = RoomSnapshot(room: RoomState(id: lobby, membership: .join), ledger: RoomLedger())
        var next = 0

        for _ in 0..<25 {
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&now, &next, &random) }
            guard let changes = RoomChanges(from: snapshot, to: now) else { continue }
            try await store.save(StoreChanges(rooms: [changes]))
            snapshot = now
        }
        let stored = try #require(try await client.stores.store(of: alice).timeline(of: lobby))

        #expect(stored.items == now.room.timeline.items)
        #expect(stored.ledger == now.ledger)
        #expect(Dictionary(stored.members.map { ($0.id, $0) }, uniquingKeysWith: { $1 }) == now.room.members)
        #expect(!stored.hasOlder)
    }

    /// One of the things that happen to rooms.
    private static func mutate(_ now: inout RoomSnapshot, _ next: inout Int, _ random: inout SplitMix64) {
        next += 1
        let id = EventID("$\(next)")
        var item = TimelineItem(id: id, sender: bob, timestamp: start, content: .message(Message(body: "\(next)")))
        let places = now.room.timeline.items.indices
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2:
            now.room.timeline.items.append(item)
            now.ledger.known.insert(id)
        case 3:
            now.room.timeline.items.insert(item, at: 0)
            now.ledger.known.insert(id)
        case 4:
            item.content = .gap
            now.room.timeline.items.append(item)
            now.ledger.gaps[id] = RoomLedger.Gap(position: "p\(next)", end: next.isMultiple(of: 2) ? "e" : nil)
        case 5:
            guard let place = places.randomElement(using: &random) else { return }
            now.room.timeline.items.insert(item, at: place)
            now.ledger.known.insert(id)
        case 6:
            guard let gap = now.room.timeline.items.firstIndex(where: { $0.content == .gap }) else { return }
            now.ledger.gaps[now.room.timeline.items[gap].id] = nil
            now.room.timeline.items.remove(at: gap)
        case 7:
            guard let place = places.randomElement(using: &random), now.room.timeline.items[place].content != .gap
            else { return }
            now.room.timeline.items[place].content = .message(Message(kind: .emote, body: "edited \(next)"))
            let key = RoomLedger.EditKey(target: now.room.timeline.items[place].id, sender: bob)
            now.ledger.edits[key] = Message(kind: .emote, body: "edited \(next)")
        case 8:
            now.ledger.known.insert(id)
            now.ledger.appliedState.insert(id)
            now.ledger.redacted.insert(EventID("$never-\(next)"))
            let person = UserID("@\(next % 5):words.test")
            now.room.members[person] = Member(id: person, displayName: "\(next)", membership: .join)
        default:
            now.ledger.olderPosition = next.isMultiple(of: 2) ? "o\(next)" : nil
            now.ledger.readUpTo = id
            now.ledger.directInviter = bob
            now.room.unreadCount = next
        }
    }
}
