import Foundation
import Models
import Testing

@testable import Workers

@Suite("Deleting channels") struct DeletingChannelsTests {
    private let tombstone: StubChatService.Call = .setState(
        "m.room.tombstone",
        [
            "body": "This channel has been deleted.", "org.words.deleted": true,
            "replacement_room": "!general:words.test",
        ])
    private let closing: [StubChatService.Call] = [
        .setState("m.room.join_rules", ["join_rule": "invite"]), .unlist(tea), .aliases(tea),
        .removeAlias("#tea:words.test"),
    ]
    private let removing: [StubChatService.Call] = [.presentMembers(tea), .kick(bob), .presentMembers(tea)]
    private var emptying: [StubChatService.Call] { closing + removing }
    private let announcing: StubChatService.Call = .announce(
        "org.words.channels", ["org.words.deleted_room": "!tea:words.test"], general)
    private let marked = stateEvent("$t5", "m.room.tombstone", #"{"org.words.deleted":true}"#)

    private func connected(by creator: UserID = alice) async throws -> ConnectedWorker {
        try await ConnectedWorker(first: joined("s1", [general: generalEvents(), tea: teaEvents(by: creator)]))
    }

    @Test("marked first, then closed, unlisted, emptied, left and forgotten; the others are told")
    func steps() async throws {
        let worker = try await connected()

        let result = try await worker.worker.deleteChannel(tea)
        await worker.activity.idle()

        #expect(result == .complete)
        #expect(
            worker.service.actions
                == [tombstone] + closing + [announcing] + removing + [.leave(tea), .forget(tea)])
        #expect(await worker.worker.currentState()?.rooms[tea]?.deletion == .forgotten)
    }

    @Test("only who made it may")
    func notCreator() async throws {
        let worker = try await connected(by: bob)

        await #expect(throws: ChatError.notCreator) { try await worker.worker.deleteChannel(tea) }
        #expect(worker.service.actions.isEmpty)
    }

    @Test("what cannot be marked is not deleted")
    func unmarked() async throws {
        let worker = try await connected()
        worker.service.fail(tombstone, .network(.timedOut))

        await #expect(throws: ChatError.network(.timedOut)) { try await worker.worker.deleteChannel(tea) }
        #expect(worker.service.actions == [tombstone])
    }

    @Test("who has left by themselves stops nothing")
    func leftByThemselves() async throws {
        let worker = try await connected()
        worker.service.fail(.kick(bob), .forbidden("not in the room"))
        worker.service.answerPresence([alice, bob], [alice])

        #expect(try await worker.worker.deleteChannel(tea) == .complete)
    }

    @Test("who cannot be removed keeps it from being done: its creator stays, and is told why")
    func equalPower() async throws {
        let worker = try await connected()
        worker.service.fail(.kick(bob), .forbidden("You do not have the power to remove Bob."))

        let result = try await worker.worker.deleteChannel(tea)
        await worker.advance(.seconds(600))

        #expect(result == .unfinished(.refused("You do not have the power to remove Bob.")))
        #expect(worker.service.actions == [tombstone] + closing + [announcing] + removing)
    }

    @Test("who is invited while others are removed is removed as well")
    func invitedMeanwhile() async throws {
        let worker = try await connected()
        let bystander = UserID("@cy:words.test")
        worker.service.answerPresence([alice, bob], [alice, bystander], [alice])

        #expect(try await worker.worker.deleteChannel(tea) == .complete)
        #expect(worker.service.actions.contains(.kick(bystander)))
    }

    @Test(
        "asked for again while it is under way, it is done once, and both are told the same", arguments: [true, false])
    func askedTwice(succeeds: Bool) async throws {
        let worker = try await connected()
        if !succeeds { worker.service.fail(.kick(bob), .network(.interrupted)) }
        let again = askAgain(worker)

        let first = try await worker.worker.deleteChannel(tea)
        let second = try await again.withLock { $0 }?.value

        #expect(first == (succeeds ? .complete : .unfinished(.network(.interrupted))))
        #expect(second == first)
        #expect(worker.service.actions.filter { $0 == tombstone }.count == 1)
    }

    @Test("asked for while what was cut off is being finished, it has that outcome")
    func askedWhileTakenUp() async throws {
        let worker = await ConnectedWorker(unconnected: ())
        worker.service.fail(.kick(bob), .network(.serverFault(status: 500)))
        try worker.service.answer(joined("s1", [general: generalEvents(), tea: teaEvents() + [marked]]))
        let again = askAgain(worker)

        await worker.worker.connect(session())
        await worker.activity.idle()

        #expect(try await again.withLock { $0 }?.value == .unfinished(.network(.serverFault(status: 500))))
        #expect(!worker.service.actions.contains(tombstone))
    }

    /// Asks for the deletion of the channel while somebody is being removed from it, once.
    private func askAgain(_ worker: ConnectedWorker) -> Locked<Task<ChannelDeletion, any Error>?> {
        let asked = Locked<Task<ChannelDeletion, any Error>?>(nil)
        worker.service.whileRemoving.withLock { meanwhile in
            meanwhile = {
                guard asked.withLock({ $0 }) == nil else { return }
                asked.withLock { $0 = Task { try await worker.worker.deleteChannel(tea) } }
                for _ in 0..<100 { await Task.yield() }
            }
        }
        return asked
    }

    @Test("what a busy server cuts off is finished over the same connection, and was announced once")
    func retries() async throws {
        let worker = try await connected()
        worker.service.fail(.kick(bob), .network(.limited(retryAfter: .seconds(5))))

        let result = try await worker.worker.deleteChannel(tea)
        await worker.advance(.seconds(4))
        let early = worker.service.actions
        await worker.advance(.seconds(1))
        worker.service.fail(.kick(bob), nil)
        await worker.advance(.seconds(5))

        #expect(result == .unfinished(.network(.limited(retryAfter: .seconds(5)))))
        #expect(early == [tombstone] + closing + [announcing] + Array(removing.prefix(2)))
        #expect(Array(worker.service.actions.suffix(9)) == emptying + [.leave(tea), .forget(tea)])
        #expect(worker.service.actions.filter { $0 == announcing }.count == 1)
    }

    @Test("one of an earlier run is announced once it is done, not with each try")
    func announcedAtTheEnd() async throws {
        let worker = await ConnectedWorker(unconnected: ())
        worker.service.fail(.kick(bob), .network(.serverFault(status: 500)))
        try worker.service.answer(joined("s1", [general: generalEvents(), tea: teaEvents() + [marked]]))
        await worker.worker.connect(session())
        await worker.activity.idle()
        await worker.advance(.seconds(20))
        let isEarly = worker.service.actions.contains(announcing)
        let tries = worker.service.actions.filter { $0 == .kick(bob) }.count
        worker.service.fail(.kick(bob), nil)

        await worker.advance(.seconds(60))

        #expect(!isEarly)
        #expect((3...6).contains(tries))
        #expect(Array(worker.service.actions.suffix(3)) == [.leave(tea), .forget(tea), announcing])
    }

    @Test("what is cut off half way is finished once there is a connection again")
    func resumes() async throws {
        let worker = try await connected()
        worker.service.fail(.kick(bob), .network(.interrupted))

        let result = try await worker.worker.deleteChannel(tea)
        try await worker.news(
            joined("s2", [tea: [stateEvent("$t5", "m.room.tombstone", #"{"org.words.deleted":true}"#)]]))
        worker.service.fail(.kick(bob), nil)
        worker.service.answer(.failure(.network(.unreachable)))
        await worker.activity.idle()
        let before = worker.service.actions.count
        try worker.service.answer(joined("s3", [:]))
        await worker.advance(.seconds(2))

        #expect(result == .unfinished(.network(.interrupted)))
        #expect(Array(worker.service.actions[before...].prefix(9)) == emptying + [.leave(tea), .forget(tea)])
    }

    @Test("one cut off in an earlier run is finished at the start of the next")
    func resumesAtStart() async throws {
        let worker = try await ConnectedWorker(
            first: joined(
                "s1", [tea: teaEvents() + [stateEvent("$t5", "m.room.tombstone", #"{"org.words.deleted":true}"#)]]))
        await worker.activity.idle()

        #expect(worker.service.actions == emptying + [.leave(tea), .forget(tea)])
    }

    @Test("a private channel is deleted without a word to those who never saw it")
    func privateChannel() async throws {
        let events = teaEvents().map {
            $0.replacingOccurrences(of: #""join_rule":"public""#, with: #""join_rule":"invite""#)
        }
        let worker = try await ConnectedWorker(first: joined("s1", [general: generalEvents(), tea: events]))

        _ = try await worker.worker.deleteChannel(tea)
        await worker.activity.idle()

        #expect(worker.service.actions.last == .forget(tea))
    }

    @Test("General cannot be deleted, not even by who made it")
    func generalStays() async throws {
        let events = [
            stateEvent("$g1", "m.room.create", #"{"creator":"@alice:words.test"}"#),
            stateEvent("$g2", "m.room.canonical_alias", ##"{"alias":"#general:words.test"}"##),
        ]
        let worker = try await ConnectedWorker(first: joined("s1", [general: events]))

        await #expect(throws: ChatError.notCreator) { try await worker.worker.deleteChannel(general) }
        #expect(worker.service.actions.isEmpty)
    }

    @Test("a room that was upgraded elsewhere is not taken away")
    func upgraded() async throws {
        let worker = try await ConnectedWorker(
            first: joined(
                "s1", [tea: teaEvents() + [stateEvent("$t5", "m.room.tombstone", #"{"replacement_room":"!new:x"}"#)]]))
        await worker.activity.idle()

        #expect(worker.service.actions == [.join(RoomID("!new:x"))])
        #expect(await worker.worker.currentState()?.rooms[tea]?.isDeleted == false)
    }
}
