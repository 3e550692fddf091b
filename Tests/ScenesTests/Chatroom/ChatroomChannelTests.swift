import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ChatroomInteractor: what is done with a channel")
struct ChatroomChannelTests {
    private let scene = ChannelScene()

    @Test("who leaves is taken to General, which is told once")
    func leave() async {
        await scene.start()
        scene.chat.meanwhile = { [scene] call in
            if case .leave = call { await scene.publish(ChannelScene.tea(.leave)) }
        }

        await scene.act(.leave)
        await scene.publish(ChannelScene.tea(.leave))

        #expect(scene.chat.calls == [.leave(ChannelScene.id)])
        #expect(scene.presenter.calls == [.close(.left), .act(.done)])
        #expect(scene.interactor.general == Channel(id: RoomID("!general"), name: "General Channel"))
        #expect(!scene.chat.isListenedTo)
    }

    @Test("leaving that fails keeps one there; being removed later is no leaving")
    func leaveFails() async {
        await scene.start()
        scene.chat.failure = .network(.timedOut)

        await scene.act(.leave)
        await scene.publish(ChannelScene.tea(.leave))

        #expect(scene.presenter.calls == [.act(.failed(.network(.timedOut))), .close(.removed)])
    }

    @Test("who is removed, or banned, is told so", arguments: [Membership.leave, .ban])
    func removed(_ membership: Membership) async {
        await scene.start()

        await scene.publish(ChannelScene.tea(membership))

        #expect(scene.presenter.calls == [.close(.removed)])
    }

    @Test("who has left with another device has left, and was not removed", arguments: [Fixture.alice, Fixture.bob])
    func leftElsewhere(by sender: User) async {
        await scene.start()
        let line = TimelineItem(
            id: EventID("$left"), sender: sender.chatID, timestamp: nil, content: .left(Fixture.alice.chatID))

        await scene.publish(ChannelScene.tea(.leave, timeline: Timeline(items: [Fixture.message(1), line])))

        #expect(scene.presenter.calls == [.close(sender == Fixture.alice ? .left : .removed)])
    }

    @Test("a channel that is deleted elsewhere closes, and says so once")
    func deletedElsewhere() async {
        await scene.start()
        var deleted = ChannelScene.tea()
        deleted.deletion = .marked

        await scene.publish(deleted)
        deleted.membership = .leave
        await scene.publish(deleted)

        #expect(scene.presenter.calls == [.close(.deleted)])
    }

    @Test("without General there is nowhere to go but the list")
    func noGeneral() async {
        scene.chat.state = Fixture.channels(ChannelScene.tea())
        await scene.start()

        #expect(scene.interactor.general == nil)
    }

    @Test("General is neither left nor deleted, even by who made it")
    func general() async {
        var general = ListChannelsScene.channel("general", "General Channel", alias: "#general:words.test")
        general.members = [Fixture.alice.chatID: Fixture.member(Fixture.alice)]
        let scene = ChannelScene(isGeneral: true)
        scene.chat.state = Fixture.channels(general)
        await scene.start()

        await scene.act(.leave, .delete, .confirmDelete)

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls == [.act(.general), .act(.general), .act(.notAsked)])
    }

    @Test("a channel of one's own is deleted once that is confirmed")
    func delete() async {
        await scene.start()

        await scene.act(.delete)
        let asked = scene.chat.calls
        await scene.act(.confirmDelete, .confirmDelete)

        #expect(asked.isEmpty)
        #expect(scene.chat.calls == [.deleteChannel(ChannelScene.id)])
        #expect(scene.presenter.calls == [.act(.asking), .act(.done), .act(.notAsked)])
    }

    @Test("who says no deletes nothing")
    func cancel() async {
        await scene.start()

        await scene.act(.delete, .cancelDelete, .cancelDelete, .confirmDelete)

        #expect(scene.chat.calls.isEmpty)
        #expect(
            scene.presenter.calls == [.act(.asking), .act(.cancelled), .act(.notAsked), .act(.notAsked)])
    }

    @Test("others' channels are not deleted")
    func notCreator() async {
        let scene = ChannelScene(ChannelScene.tea(by: Fixture.bob))
        await scene.start()

        await scene.act(.delete, .confirmDelete)

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls == [.act(.notCreator), .act(.notAsked)])
    }

    @Test("a deletion that fails is told, and the channel stays open")
    func deleteFails() async {
        await scene.start()
        scene.chat.deleted = .failure(.refused("No."))

        await scene.act(.delete, .confirmDelete)

        #expect(scene.presenter.calls == [.act(.asking), .act(.failed(.refused("No.")))])
        #expect(scene.chat.isListenedTo)
    }

    @Test("a deletion that is cut off closes the channel, with what is still to come")
    func deleteUnfinished() async {
        await scene.start()
        scene.chat.deleted = .success(.unfinished(.network(.interrupted)))

        await scene.act(.delete, .confirmDelete)

        #expect(
            scene.presenter.calls == [.act(.asking), .closeUnfinished(.network(.interrupted)), .act(.done)])
        #expect(!scene.chat.isListenedTo)
    }

    @Test(
        "people are invited by id, by a contact's address or name, and by the name of who shares a room",
        arguments: [
            ("@eve:words.test", "@eve:words.test"), (" Bob@words.test ", "@bob:words.test"), ("bob", "@bob:words.test"),
            ("Cy", "@cy:words.test"),
        ])
    func invite(_ who: String, _ id: String) async {
        await scene.start()

        await scene.act(.invite(who))

        #expect(scene.chat.calls == [.invite(UserID(id), ChannelScene.id)])
        #expect(scene.presenter.calls == [.act(.invited(UserID(id)))])
    }

    @Test("nobody is guessed", arguments: ["", " ", "Eve", "Alice"])
    func nobody(_ who: String) async {
        await scene.start()

        await scene.act(.invite(who))

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls == [.act(.nobody(who))])
    }

    @Test("two of one name are told with their ids")
    func ambiguous() async {
        var room = ChannelScene.tea()
        let other = Fixture.user("cy2", name: "CY")
        room.members[other.chatID] = Fixture.member(other)
        let scene = ChannelScene(room)
        await scene.start()

        await scene.act(.invite("cy"))

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls == [.act(.ambiguous("cy", [other.chatID, Fixture.cy.chatID]))])
    }

    @Test("an invitation that the server refuses is told")
    func inviteFails() async {
        await scene.start()
        scene.chat.failure = .refused("No.")

        await scene.act(.invite("Bob"))

        #expect(scene.presenter.calls == [.act(.failed(.refused("No.")))])
    }

    @Test("with a contact there is no channel to do anything with")
    func noChannel() async {
        let scene = ChatroomScene()
        await scene.start()

        await scene.interactor.act(request: .init(kind: .leave))
        await scene.interactor.act(request: .init(kind: .invite("Cy")))
        await scene.interactor.act(request: .init(kind: .delete))
        await scene.interactor.act(request: .init(kind: .confirmDelete))

        #expect(scene.chat.calls.isEmpty)
        #expect(
            scene.presenter.calls == [.act(.noChannel), .act(.noChannel), .act(.noChannel), .act(.notAsked)])
    }

    @Test("a channel that is renamed elsewhere bears its new name in what is said")
    func renamed() async {
        await scene.start()
        var renamed = ChannelScene.tea()
        renamed.name = "Chai"

        await scene.publish(renamed)

        #expect(scene.interactor.conversation?.channelName == "Chai")
        #expect(scene.presenter.calls == [.messages(["$1"], isLoading: false)])
    }
}
