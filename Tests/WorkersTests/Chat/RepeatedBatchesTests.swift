import Models
import Testing

@testable import Workers

/// What a crash between a batch and its position brings: the server tells again what is known already, perhaps with more.
@Suite("Batches that come again")
struct RepeatedBatchesTests {
    private func ledger(_ batches: String...) throws -> ChatLedger {
        var ledger = ChatLedger(ownID: alice)
        for json in batches { _ = ledger.apply(try decoded(json), now: start) }
        return ledger
    }

    private func bodies(_ ledger: ChatLedger) -> [String] {
        (ledger.state.rooms[lobby]?.timeline.items ?? []).map(\.text)
    }

    @Test("a batch applied twice changes nothing")
    func twice() throws {
        let json = batch(
            "s1",
            timeline: [
                event("$1", "one"),
                #"{"event_id":"$n2","type":"m.room.name","state_key":"","sender":"\#(bob)","content":{"name":"New"}}"#,
                member("$j", UserID("@cy:words.test"), "join"),
            ],
            state: [
                #"{"event_id":"$n1","type":"m.room.name","state_key":"","sender":"\#(bob)","content":{"name":"Old"}}"#
            ],
            ephemeral: [#"{"type":"m.typing","content":{"user_ids":["\#(bob)"]}}"#])
        var ledger = try ledger(json)
        let before = ledger

        let changes = ledger.apply(try decoded(json), now: start)

        #expect(changes.isEmpty)
        #expect(ledger == before)
        #expect(ledger.state.rooms[lobby]?.name == "New")
    }

    private func name(_ id: String, _ name: String) -> String {
        #"{"event_id":"\#(id)","type":"m.room.name","state_key":"","sender":"\#(bob)","content":{"name":"\#(name)"}}"#
    }

    @Test("a batch whose position was lost comes again with more: its state does not undo what followed it")
    func overlapping() throws {
        let cy = UserID("@cy:words.test")
        var ledger = try ledger(
            batch(
                "s2",
                timeline: [
                    name("$old", "Old"), member("$in", cy, "join"), event("$1", "one"), name("$new", "New"),
                    member("$out", cy, "leave"),
                ]))
        let again = batch(
            "s3",
            timeline: [
                event("$1", "one"), name("$new", "New"), member("$out", cy, "leave"), member("$back", cy, "join"),
                event("$2", "two"),
            ],
            limited: true, previous: "p", state: [name("$old", "Old"), member("$in", cy, "join")])

        _ = ledger.apply(try decoded(again), now: start)

        #expect(ledger.state.rooms[lobby]?.name == "New")
        #expect(bodies(ledger) == ["\(cy) joined", "one", "\(cy) left", "\(cy) joined", "two"])
    }

    @Test("what a filled gap tells of the room's state does not undo the state below it")
    func stateInGap() throws {
        var ledger = try ledger(batch("s1", timeline: [event("$1", "one")]))
        let events = [name("$old", "Old"), name("$new", "New")]
        let gap = FilledGap(events: try events.map { try decoded($0, as: MatrixShapes.Event.self) })
        let below = batch("s2", timeline: [event("$2", "two")], limited: true, previous: "p", state: [events[1]])

        _ = ledger.apply(try decoded(below), filled: [lobby: gap], now: start)

        #expect(ledger.state.rooms[lobby]?.name == "New")
    }
}
