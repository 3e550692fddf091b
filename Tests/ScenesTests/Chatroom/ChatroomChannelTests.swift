import Models
import Testing
import Workers

@testable import Scenes

/// The scene's interactor among spies: Alice opens the channel Tea.
@MainActor
struct ChannelScene {
    let presenter = ChatroomPresenterSpy()
    let chat = ChatWorkerSpy()
    let time = VirtualTime()
    let interactor: ChatroomInteractor

    static let id = RoomID("!tea")
    static let general = ListChannelsScene.general

    /// - Parameter room: As it is known when the scene starts; nil where nothing is.
    init(_ room: RoomState? = tea(), limit: Int = ClientOptions().messageLimit, isGeneral: Bool = false) {
        interactor = ChatroomInteractor(
            presenter: presenter, chat: chat, environment: time.environment, messageLimit: limit)
        interactor.channel =
            isGeneral ? Channel(id: Self.general.id, name: "General Channel") : Channel(id: Self.id, name: "Tea")
        interactor.contacts = [Fixture.contact(Fixture.bob)]
        interactor.currentUser = Fixture.alice
        chat.state = Fixture.channels([Self.general] + [room].compactMap { $0 })
    }

    /// With Alice, who made it unless somebody else did, and Cy.
    static func tea(
        _ membership: Membership = .join, timeline: Timeline = Timeline(items: [Fixture.message(1)]),
        by creator: User = Fixture.alice
    ) -> RoomState {
        var room = ListChannelsScene.channel("tea", "Tea", membership, by: creator)
        room.members = [
            Fixture.alice.chatID: Fixture.member(Fixture.alice, membership),
            Fixture.cy.chatID: Fixture.member(Fixture.cy),
        ]
        room.timeline = timeline
        return room
    }

    func start() async {
        await interactor.start(request: .init())
        await time.settle()
        presenter.calls = []
        chat.calls = []
    }

    func publish(_ room: RoomState) async {
        await chat.publish(Fixture.channels(Self.general, room), [.room(room.id), .timeline(room.id)])
        await time.settle()
    }

    func act(_ kinds: Chatroom.Act.Kind...) async {
        for kind in kinds { await interactor.act(request: .init(kind: kind)) }
    }
}

@MainActor
@Suite("ChatroomInteractor: opening a channel")
struct ChatroomChannelOpeningTests {
    @Test("a channel that one is in is shown and not joined again")
    func joined() async {
        let scene = ChannelScene()

        await scene.interactor.start(request: .init())
        await scene.time.settle()

        #expect(scene.presenter.calls == [.reachability(.online), .messages(["$1"], isLoading: false)])
        #expect(scene.chat.calls == [.subscribe, .markRead(ChannelScene.id)])
    }

    @Test("another one is joined when it is opened", arguments: [nil, Membership.invite, .leave])
    func joins(_ membership: Membership?) async {
        let scene = ChannelScene(membership.map { ChannelScene.tea($0, timeline: Timeline()) })

        await scene.interactor.start(request: .init())

        #expect(scene.chat.calls == [.subscribe, .join(ChannelScene.id)])
    }

    @Test("until its history is there nothing can be sent and nobody hears of keys; then all can")
    func onHold() async {
        let scene = ChannelScene(nil)
        await scene.start()

        await scene.interactor.send(request: .init(text: "too soon"))
        await scene.interactor.typed(request: .init())
        let early = scene.presenter.calls
        // It has been joined, and the history is on its way.
        let short = ChannelScene.tea(timeline: ChatroomScene.messages(5...6, hasOlder: true))
        let whole = Fixture.channels(ChannelScene.general, ChannelScene.tea(timeline: ChatroomScene.messages(1...6)))
        scene.chat.older = [.success((whole, hasMore: false))]
        scene.chat.meanwhile = { [scene] call in
            if case .loadOlder = call { await scene.interactor.send(request: .init(text: "still too soon")) }
        }
        await scene.publish(short)
        await scene.interactor.send(request: .init(text: "now"))

        #expect(early == [.send(removed: 0, .refused(.stillLoading))])
        #expect(scene.presenter.calls.dropFirst().contains(.send(removed: 0, .refused(.stillLoading))))
        #expect(scene.presenter.calls.contains(.messages(["$5", "$6"], isLoading: true)))
        #expect(scene.presenter.calls.contains(.messages(ChatroomScene.ids(1...6), isLoading: false)))
        #expect(scene.presenter.calls.last == .send(removed: 0, nil))
        #expect(
            scene.chat.calls == [
                .loadOlder(ChannelScene.id), .markRead(ChannelScene.id), .send("now", ChannelScene.id),
            ])
    }

    @Test("history that cannot be fetched is said, and does not hold the channel for ever")
    func historyFails() async {
        let scene = ChannelScene(ChannelScene.tea(timeline: ChatroomScene.messages(1...2, hasOlder: true)))
        scene.chat.older = [.failure(.network(.timedOut))]

        await scene.interactor.start(request: .init())
        await scene.interactor.send(request: .init(text: "hello"))

        #expect(scene.presenter.calls.contains(.failure(.network(.timedOut))))
        #expect(scene.presenter.calls.last == .send(removed: 0, nil))
    }

    @Test("a channel that cannot be joined says so, and that nothing can be sent for that")
    func joinFails() async {
        let scene = ChannelScene(nil)
        scene.chat.failure = .refused("No.")

        await scene.interactor.start(request: .init())
        await scene.interactor.send(request: .init(text: "hello"))

        #expect(
            scene.presenter.calls.suffix(3) == [
                .joinFailure(.refused("No.")), .messages([], isLoading: false), .send(removed: 0, .refused(.notJoined)),
            ])
    }

    @Test("a channel that one had left, and that cannot be joined, is asked for its history once at most")
    func joinFailsOfOneLeft() async {
        let left = ChannelScene.tea(.leave, timeline: ChatroomScene.messages(1...2, hasOlder: true))
        let scene = ChannelScene(left)
        scene.chat.failure = .refused("No.")
        scene.chat.older = Array(repeating: .failure(.refused("You are not in this room.")), count: 9)
        await scene.start()

        for _ in 0..<3 { await scene.publish(left) }

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls.isEmpty)
    }

    @Test("the next connection tries again, once, and then the channel is on hold until it is there")
    func joinsLater() async {
        let scene = ChannelScene(nil)
        let offline = Models.Connection.offline(reason: .timedOut, retryAt: nil)
        scene.chat.state = Fixture.channels([], connection: offline)
        scene.chat.failure = .network(.unreachable)
        await scene.start()

        scene.chat.failure = nil
        await scene.chat.publish(Fixture.channels(ChannelScene.general), [.connection])
        await scene.time.settle()
        await scene.interactor.send(request: .init(text: "too soon"))
        await scene.publish(ChannelScene.tea())
        await scene.interactor.send(request: .init(text: "now"))

        #expect(scene.chat.calls.filter { $0 == .join(ChannelScene.id) }.count == 1)
        #expect(scene.presenter.calls.contains(.send(removed: 0, .refused(.stillLoading))))
        #expect(scene.presenter.calls.last == .send(removed: 0, nil))
    }

    @Test("a connection that comes back to a channel that one is in joins nothing")
    func staysJoined() async {
        let scene = ChannelScene()
        await scene.start()

        await scene.chat.publish(Fixture.channels(ChannelScene.general, ChannelScene.tea()), [.connection])
        await scene.time.settle()

        #expect(scene.chat.calls.isEmpty)
    }

    @Test("who joins and leaves stands where the server has it")
    func statusLines() async {
        let scene = ChannelScene()
        await scene.start()
        let items = [
            Fixture.message(1),
            TimelineItem(
                id: EventID("$2"), sender: Fixture.bob.chatID, timestamp: Fixture.now,
                content: .joined(Fixture.bob.chatID)),
            Fixture.message(3),
            TimelineItem(
                id: EventID("$4"), sender: Fixture.bob.chatID, timestamp: Fixture.now,
                content: .left(Fixture.bob.chatID)),
        ]

        await scene.publish(ChannelScene.tea(timeline: Timeline(items: items)))

        #expect(scene.presenter.calls == [.messages(["$1", "$2", "$3", "$4"], isLoading: false)])
    }

    @Test("why one is here is said first")
    func notice() async {
        let scene = ChannelScene()
        scene.interactor.notice = "The channel Cocoa has been deleted."

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.first == .notice("The channel Cocoa has been deleted."))
    }
}

@MainActor
@Suite("ChatroomInteractor: the length of a message in a channel")
struct ChatroomLimitTests {
    @Test("256 characters as people see them are sent, 257 are not")
    func limit() async {
        let scene = ChannelScene()
        await scene.start()
        // 7 scalars and 25 bytes each.
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 256)

        await scene.interactor.send(request: .init(text: family))
        await scene.interactor.send(request: .init(text: family + "e\u{301}"))

        #expect(scene.chat.calls == [.send(family, ChannelScene.id)])
        #expect(
            scene.presenter.calls == [.send(removed: 0, nil), .send(removed: 0, .tooLong(count: 257, limit: 256))])
    }

    @Test("another limit may be set, and what is taken out does not count")
    func configured() async {
        let scene = ChannelScene(limit: 3)
        await scene.start()

        await scene.interactor.send(request: .init(text: "a\u{7}bc"))
        await scene.interactor.send(request: .init(text: "abcd"))

        #expect(
            scene.presenter.calls == [.send(removed: 1, nil), .send(removed: 0, .tooLong(count: 4, limit: 3))])
    }

    @Test("a message to a contact has no such limit, and no counter")
    func contact() async {
        let scene = ChatroomScene()
        await scene.start()
        let text = String(repeating: "a", count: 300)

        await scene.interactor.measure(request: .init(text: text))
        await scene.interactor.send(request: .init(text: text))

        #expect(scene.presenter.calls == [.send(removed: 0, nil)])
    }

    @Test("what is typed is counted from 200 on, beyond the limit too, and once more when it is shorter again")
    func counter() async {
        let scene = ChannelScene()
        await scene.start()

        for count in [1, 199, 200, 256, 257, 199, 198] {
            await scene.interactor.measure(request: .init(text: String(repeating: "é", count: count)))
        }

        #expect(
            scene.presenter.calls == [
                .draft(200, limit: 256, isNear: true), .draft(256, limit: 256, isNear: true),
                .draft(257, limit: 256, isNear: true), .draft(199, limit: 256, isNear: false),
            ])
        #expect(scene.chat.calls.isEmpty)
    }

    @Test("of another limit, from the same part of it", arguments: [(1_000, 782), (10, 8), (1, 1)])
    func otherLimits(_ limit: Int, _ first: Int) async {
        let scene = ChannelScene(limit: limit)
        await scene.start()

        await scene.interactor.measure(request: .init(text: String(repeating: "a", count: first - 1)))
        await scene.interactor.measure(request: .init(text: String(repeating: "a", count: first)))

        #expect(scene.presenter.calls == [.draft(first, limit: limit, isNear: true)])
    }
}

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
