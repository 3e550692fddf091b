import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ListChannelsInteractor")
struct ListChannelsInteractorTests {
    private let scene = ListChannelsScene()
    private let offline = Models.Connection.offline(reason: .timedOut, retryAt: nil)

    @Test("the scene connects, enters General, fetches the public list and shows all as a whole")
    func start() async {
        await scene.interactor.start(request: .init())

        #expect(
            scene.presenter.calls == [
                .channels([], isLoading: true, isReload: false), .reachability(.online),
                .channels(["Cocoa", "General Channel", "Tea"], isLoading: false, isReload: true),
            ])
        #expect(scene.chat.calls == [.subscribe, .connect(Fixture.session()), .joinGeneral, .publicRooms])
    }

    @Test("why one is here is said first")
    func notice() async {
        scene.interactor.notice = "The channel Tea has been deleted."

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.first == .notice("The channel Tea has been deleted."))
    }

    @Test("the contacts of last time are handed on")
    func contacts() async {
        scene.users.cached = [Fixture.contact(Fixture.bob)]

        await scene.interactor.start(request: .init())

        #expect(scene.interactor.contacts == [Fixture.contact(Fixture.bob)])
    }

    @Test("offline, what is known is shown, nothing is asked in vain and nothing said twice")
    func startsOffline() async {
        scene.chat.meanwhile = { [chat = scene.chat] call in
            if case .connect = call {
                chat.state = Fixture.channels(
                    [ListChannelsScene.tea], connection: .offline(reason: .timedOut, retryAt: nil))
            }
        }

        await scene.interactor.start(request: .init())

        #expect(
            scene.presenter.calls == [
                .channels([], isLoading: true, isReload: false), .reachability(offline),
                .channels(["Tea"], isLoading: false, isReload: true),
            ])
        #expect(scene.chat.calls == [.subscribe, .connect(Fixture.session())])
    }

    @Test("back online, General is entered and the list fetched, and what is new is told")
    func backOnline() async {
        await startsOffline()
        scene.presenter.calls = []
        scene.chat.calls = []

        await scene.chat.publish(Fixture.channels([ListChannelsScene.tea]), [.connection])
        await scene.time.settle()

        #expect(
            scene.presenter.calls == [
                .reachability(.online), .event(.added, "Cocoa"),
                .channels(["Cocoa", "Tea"], isLoading: false, isReload: false),
            ])
        #expect(scene.chat.calls == [.joinGeneral, .publicRooms])
    }

    @Test("a connection that comes at the very end of the start is taken up", arguments: [true, false])
    func onlineAtTheEnd(_ isOnTime: Bool) async {
        let away = Fixture.channels([ListChannelsScene.tea], connection: offline)
        scene.chat.meanwhile = { [chat = scene.chat] call in if case .connect = call { chat.state = away } }
        scene.chat.whileReading = { [chat = scene.chat] count in
            if count == 2, isOnTime { await chat.publish(ListChannelsScene.state, [.connection]) }
        }

        await scene.interactor.start(request: .init())
        await scene.time.settle()

        #expect(scene.chat.calls.dropFirst(2) == (isOnTime ? [.joinGeneral, .publicRooms] : []))
    }

    @Test("so is an announcement")
    func announcedAtTheEnd() async {
        scene.chat.whileReading = { [chat = scene.chat] count in
            if count == 2 { await chat.publish(ListChannelsScene.state, [.channels]) }
        }

        await scene.interactor.start(request: .init())
        await scene.time.settle()

        #expect(scene.chat.calls.filter { $0 == .publicRooms }.count == 2)
    }

    @Test("announcements that come faster than a fetch hold up nothing: the list shows, and is fetched after a pause")
    func announcedWithoutEnd() async {
        let floods = Locked(true)
        scene.chat.meanwhile = { [chat = scene.chat] call in
            if case .connect = call { chat.state = ListChannelsScene.state }
            guard call == .publicRooms, floods.withLock({ $0 }) else { return }
            await chat.publish(ListChannelsScene.state, [.channels])
        }

        await scene.interactor.start(request: .init())
        let shown = scene.presenter.channels?.channels.count
        for _ in 0..<5 { await scene.publish(ListChannelsScene.tea, changes: [.channels]) }
        let before = scene.chat.calls.filter { $0 == .publicRooms }.count
        await scene.time.advance(ListFetch.pause)
        let after = scene.chat.calls.filter { $0 == .publicRooms }.count
        floods.withLock { $0 = false }
        await scene.time.advance(ListFetch.pause * 3)

        #expect(shown == 3)
        #expect([before, after] == [2, 4])
        #expect(scene.chat.calls.filter { $0 == .publicRooms }.count == 5)
    }

    @Test("a scene that has gone fetches nothing after the pause")
    func leavingWhilePausing() async {
        scene.chat.meanwhile = { [chat = scene.chat] call in
            if case .connect = call { chat.state = ListChannelsScene.state }
            if call == .publicRooms { await chat.publish(ListChannelsScene.state, [.channels]) }
        }
        await scene.start()

        scene.interactor.leave()
        await scene.time.advance(ListFetch.pause)

        #expect(scene.chat.calls.isEmpty)
    }

    @Test("a connection that comes back with nothing missed asks nothing")
    func steady() async {
        await scene.start()

        await scene.publish(ListChannelsScene.tea, changes: [.connection])

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls.isEmpty)
    }

    @Test("General that cannot be joined is said, and the list is there all the same")
    func generalFails() async {
        scene.chat.generals = [.failure(.refused("No."))]

        await scene.interactor.start(request: .init())

        #expect(
            scene.presenter.calls.suffix(2) == [
                .failure(.init(what: .general, error: .refused("No."))),
                .channels(["Cocoa", "General Channel", "Tea"], isLoading: false, isReload: true),
            ])
    }

    @Test("a refresh tries General again")
    func generalAgain() async {
        scene.chat.generals = [
            .failure(.refused("No.")), .failure(.refused("Still no.")), .success(RoomID("!general")),
        ]
        await scene.start()

        await scene.interactor.fetchChannels(request: .init())
        await scene.interactor.fetchChannels(request: .init())

        #expect(
            scene.presenter.calls == [
                .fetch([.init(what: .general, error: .refused("Still no."))]), .fetch([]),
                .channels(["Cocoa", "General Channel", "Tea"], isLoading: false, isReload: true),
            ])
    }

    @Test("so does the next connection")
    func generalWithConnection() async {
        scene.chat.generals = [.failure(.refused("No.")), .success(RoomID("!general"))]
        await scene.start()

        await scene.chat.publish(Fixture.channels([ListChannelsScene.tea], connection: offline), [.connection])
        await scene.chat.publish(ListChannelsScene.state, [.connection])
        await scene.time.settle()

        #expect(scene.chat.calls == [.joinGeneral, .publicRooms])
    }

    @Test("General that fails with the connection that was is tried again over the one that is")
    func generalOutdated() async {
        await scene.start()
        scene.chat.generals = [.failure(.network(.interrupted)), .success(RoomID("!general"))]
        scene.chat.meanwhile = { [scene] call in
            guard call == .joinGeneral, scene.chat.calls.count == 1 else { return }
            await scene.chat.publish(ListChannelsScene.state, [.connection])
        }

        await scene.interactor.fetchChannels(request: .init())

        #expect(scene.chat.calls == [.joinGeneral, .joinGeneral, .publicRooms])
        #expect(scene.presenter.calls.first == .fetch([]))
    }

    @Test("a list that cannot be fetched is said, a failure of the connection only on the banner")
    func listFails() async {
        scene.chat.publicLists = [.failure(.refused("No."))]
        await scene.interactor.start(request: .init())
        let refused = scene.presenter.calls.contains(.failure(.init(what: .list, error: .refused("No."))))
        await scene.chat.publish(Fixture.channels([], connection: offline), [.connection])
        scene.presenter.calls = []

        await scene.interactor.fetchChannels(request: .init())

        #expect(refused)
        #expect(scene.presenter.calls == [.fetch([.init(what: .list, error: .notConnected)])])
    }

    @Test("a fetch that fails after the connection came back is tried again")
    func failsLate() async {
        await scene.start()
        scene.chat.publicLists = [.failure(.network(.interrupted)), .success([ListChannelsScene.cocoa])]
        scene.chat.meanwhile = { [scene] call in
            guard call == .publicRooms, scene.chat.calls.count == 2 else { return }
            await scene.chat.publish(ListChannelsScene.state, [.connection])
        }

        await scene.interactor.fetchChannels(request: .init())

        #expect(scene.chat.calls == [.joinGeneral, .publicRooms, .publicRooms])
        #expect(scene.presenter.calls.first == .fetch([]))
    }

    @Test("a change that comes while a fetch is under way makes it be asked again, and begins no second one")
    func changedMeanwhile() async {
        await scene.start()
        let spice = PublicRoom(id: RoomID("!spice"), name: "Spice")
        scene.chat.publicLists = [.success([ListChannelsScene.cocoa]), .success([ListChannelsScene.cocoa, spice])]
        scene.chat.meanwhile = { [scene] call in
            guard call == .publicRooms, scene.chat.calls.count == 2 else { return }
            await scene.chat.publish(ListChannelsScene.state, [.channels])
        }

        await scene.interactor.fetchChannels(request: .init())
        await scene.time.settle()

        #expect(scene.chat.calls == [.joinGeneral, .publicRooms, .publicRooms])
        #expect(scene.presenter.calls.filter { $0 == .event(.added, "Spice") }.count == 1)
    }

    @Test(
        "a session that the server ends, or that runs out, leads to Login, once, with the reason",
        arguments: [
            (ChatUpdate.Change.sessionEnded, Login.Reason.sessionEnded), (.sessionExpired, .sessionExpired),
        ])
    func sessionEnds(_ change: ChatUpdate.Change, _ reason: Login.Reason) async {
        await scene.start()

        await scene.chat.publish(Fixture.channels([], connection: .ended), [change, .connection])
        await scene.chat.publish(Fixture.channels([], connection: .ended), [change])

        #expect(scene.presenter.calls == [.sessionEnd(reason)])
        #expect(scene.interactor.loginReason == reason)
        #expect(!scene.chat.isListenedTo)
    }

    @Test(
        "so does a fetch that finds the session refused",
        arguments: [(ChatError.sessionEnded, Login.Reason.sessionEnded), (.sessionExpired, .sessionExpired)])
    func refused(_ error: ChatError, _ reason: Login.Reason) async {
        scene.chat.publicLists = [.failure(error)]

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.last == .sessionEnd(reason))
    }

    @Test("without a session there is only Login")
    func noSession() async {
        scene.interactor.session = nil

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls == [.sessionEnd(.sessionEnded)])
        #expect(scene.chat.calls.isEmpty)
    }

    @Test("a scene that has gone hears nothing")
    func leaving() async {
        await scene.start()

        scene.interactor.leave()
        await scene.publish(changes: [.channels, .sessionEnded])

        #expect(scene.presenter.calls.isEmpty)
        #expect(scene.chat.calls.isEmpty)
        #expect(!scene.chat.isListenedTo)
    }

    @Test("a scene that goes while it connects hears nothing afterwards")
    func leavingEarly() async {
        scene.chat.meanwhile = { [interactor = scene.interactor] call in
            if case .connect = call { interactor.leave() }
        }

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls == [.channels([], isLoading: true, isReload: false)])
        #expect(!scene.chat.isListenedTo)
        #expect(!scene.chat.calls.contains(.joinGeneral))
    }
}
