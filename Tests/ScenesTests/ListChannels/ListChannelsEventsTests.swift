import Models
import Testing
import Workers

@testable import Scenes

/// What happens elsewhere changes the list by itself, and is told once.
@MainActor
@Suite("ListChannelsInteractor: what happens elsewhere")
struct ListChannelsEventsTests {
    private let scene = ListChannelsScene()
    private let tea = ListChannelsScene.tea

    private var events: [ListChannelsPresenterSpy.Call] {
        scene.presenter.calls.filter { if case .event = $0 { true } else { false } }
    }

    private var rows: [RemoteText] { scene.presenter.channels?.channels.map(\.shownName) ?? [] }

    @Test("a channel made by others is there as soon as it is announced")
    func added() async {
        await scene.start()
        scene.chat.publicLists = [.success([ListChannelsScene.cocoa, PublicRoom(id: RoomID("!spice"), name: "Spice")])]

        await scene.publish(tea, changes: [.channels])

        #expect(events == [.event(.added, "Spice")])
        #expect(rows == ["Cocoa", "General Channel", "Spice", "Tea"])
    }

    @Test("a channel that one was put into elsewhere is there")
    func joinedElsewhere() async {
        await scene.start()

        await scene.publish(tea, ListChannelsScene.channel("cocoa", "Cocoa", by: Fixture.bob))
        await scene.publish(
            tea, ListChannelsScene.channel("cocoa", "Cocoa", by: Fixture.bob),
            ListChannelsScene.channel("plans", "Plans", rule: "invite"))

        #expect(events == [.event(.joined, "Cocoa"), .event(.added, "Plans")])
    }

    @Test("an invitation is told, with who asks")
    func invited() async {
        await scene.start()
        var plans = ListChannelsScene.channel("plans", "Plans", .invite, rule: "invite", by: Fixture.bob)
        plans.inviter = Fixture.bob.chatID

        await scene.publish(tea, plans)

        #expect(events == [.event(.invited, "Plans")])
        #expect(scene.presenter.channels?.channels.first { $0.kind == .invited }?.inviter == Fixture.bob.chatID)
    }

    @Test("another name is told with the former one, and sorts the list anew")
    func renamed() async {
        await scene.start()
        var renamed = tea
        renamed.name = "A tea"

        await scene.publish(renamed)
        await scene.publish(renamed)

        #expect(events == [.event(.renamed, "A tea")])
        #expect(rows == ["A tea", "Cocoa", "General Channel"])
    }

    @Test("a channel left elsewhere: a public one can be joined again, a private one goes")
    func leftElsewhere() async {
        let plans = ListChannelsScene.channel("plans", "Plans", rule: "invite")
        scene.chat.meanwhile = { [chat = scene.chat, tea] call in
            if case .connect = call { chat.state = Fixture.channels(ListChannelsScene.general, tea, plans) }
        }
        scene.chat.publicLists = [
            .success([PublicRoom(id: tea.id, name: "An old name", joinedCount: 2)]),
            .success([PublicRoom(id: tea.id, name: "Tea", joinedCount: 1)]),
        ]
        await scene.start()

        await scene.publish(
            ListChannelsScene.channel("tea", "Tea", .leave), ListChannelsScene.channel("plans", "Plans", .leave))

        #expect(events == [.event(.removed, "Plans"), .event(.left, "Tea")])
        #expect(scene.chat.calls == [.joinGeneral, .publicRooms])
        #expect(rows == ["General Channel", "Tea"])
        #expect(scene.presenter.channels?.channels.last?.memberCount == 1)
    }

    @Test("a channel that one is in and that is deleted goes, and is told as deleted")
    func deleted() async {
        await scene.start()
        var deleted = tea
        deleted.deletion = .marked

        await scene.publish(deleted)

        #expect(events == [.event(.deleted, "Tea")])
        #expect(rows == ["Cocoa", "General Channel"])
    }

    @Test(
        "one that is gone from the public list was deleted where who made it says so, else it may only be unlisted",
        arguments: [
            (Optional(Fixture.bob.chatID), ListChannels.Event.Kind.deleted), (Fixture.cy.chatID, .removed),
            (nil, .removed),
        ])
    func unlisted(_ announcer: UserID?, _ kind: ListChannels.Event.Kind) async {
        await scene.start()
        scene.chat.publicLists = [.success([])]
        var state = ListChannelsScene.state
        state.deletionsAnnounced[ListChannelsScene.cocoa.id] = announcer

        await scene.chat.publish(state, [.channels])
        await scene.time.settle()

        #expect(events == [.event(kind, "Cocoa")])
        #expect(rows == ["General Channel", "Tea"])
    }

    @Test("a count of unread messages changes the list and is no event")
    func unread() async {
        await scene.start()
        var busy = tea
        busy.unreadCount = 3

        await scene.publish(busy)
        await scene.publish(busy)

        #expect(
            scene.presenter.calls == [
                .channels(["Cocoa", "General Channel", "Tea"], isLoading: false, isReload: false)
            ])
        #expect(scene.presenter.channels?.channels.last?.unreadCount == 3)
    }
}
