import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ListContactsInteractor")
struct ListContactsInteractorTests {
    private let scene = ListContactsScene()
    private let bob = Fixture.bob.chatID
    private let cy = Fixture.cy.chatID

    @Test("the scene connects, fetches and shows the list as a whole")
    func start() async {
        await scene.interactor.start(request: .init())

        #expect(
            scene.presenter.calls == [
                .reachability(.connecting), .contacts([], isLoading: true, isReload: false), .reachability(.online),
                .contacts([bob], isLoading: false, isReload: true),
            ])
        #expect(scene.chat.calls == [.subscribe, .connect(Fixture.session())])
        #expect(scene.users.calls == [.contacts])
        #expect(scene.interactor.contacts == [ListContactsScene.bob])
    }

    @Test("a new account has an empty list")
    func empty() async {
        scene.users.lists = [.success([])]
        scene.chat.meanwhile = { [chat = scene.chat] _ in chat.state = Fixture.state() }

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.last == .contacts([], isLoading: false, isReload: true))
    }

    @Test("offline at launch: said at once, the list is what the chat remembers, and nothing is asked for in vain")
    func offline() async {
        let offline = Models.Connection.offline(reason: .unreachable, retryAt: Fixture.now + .seconds(2))
        scene.interactor.launchFault = .unreachable
        scene.chat.meanwhile = { [chat = scene.chat] call in
            guard case .connect = call else { return }
            chat.state = Fixture.state([Fixture.room(with: Fixture.bob)], connection: offline)
        }

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.first == .reachability(.offline(reason: .unreachable, retryAt: nil)))
        #expect(scene.presenter.calls.contains(.reachability(offline)))
        #expect(scene.presenter.calls.last == .contacts([bob], isLoading: false, isReload: true))
        #expect(scene.users.calls.isEmpty)
    }

    @Test("started offline, the contacts of last time are there, and the banner says that they may be old")
    func cached() async {
        scene.users.cached = [ListContactsScene.bob, ListContactsScene.cy]
        scene.interactor.launchFault = .unreachable
        scene.chat.meanwhile = { [chat = scene.chat] call in
            guard case .connect = call else { return }
            chat.state = Fixture.state(connection: .offline(reason: .unreachable, retryAt: nil))
        }

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.first == .reachability(.offline(reason: .unreachable, retryAt: nil)))
        #expect(scene.presenter.calls.last == .contacts([bob, cy], isLoading: false, isReload: true))
        #expect(scene.users.calls.isEmpty)
    }

    @Test("the contacts of last time give way to the server's, untold")
    func cachedThenFetched() async {
        scene.users.cached = [ListContactsScene.cy]

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.contains(.contacts([cy], isLoading: true, isReload: false)))
        #expect(scene.presenter.calls.last == .contacts([bob], isLoading: false, isReload: true))
        #expect(!scene.presenter.calls.contains { if case .event = $0 { true } else { false } })
    }

    @Test("what cannot be kept on this machine is said, once for each reason")
    func storage() async {
        await scene.start()
        var state = Fixture.state([Fixture.room(with: Fixture.bob)])
        state.storageFault = "The disk is full"

        await scene.chat.publish(state, [.storage])
        await scene.chat.publish(state, [.presence(bob)])
        state.storageFault = nil
        await scene.chat.publish(state, [.storage])

        #expect(scene.presenter.calls == [.failure(.init(error: .storage("The disk is full")))])
    }

    @Test("back online, the list is fetched, and only what differs is told")
    func backOnline() async {
        await offline()
        scene.presenter.calls = []
        scene.users.lists = [.success([ListContactsScene.bob, ListContactsScene.cy])]

        await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob)]), [.connection])
        await scene.time.settle()

        #expect(
            scene.presenter.calls == [
                .reachability(.online), .event(.added, cy), .contacts([bob, cy], isLoading: false, isReload: false),
            ])
        #expect(scene.users.calls == [.contacts])
    }

    @Test("back online with nothing shown before, the list comes as a whole")
    func backOnlineFromNothing() async {
        scene.chat.meanwhile = { [chat = scene.chat] _ in
            chat.state = Fixture.state(connection: .offline(reason: .timedOut, retryAt: nil))
        }
        await scene.start()

        await scene.chat.publish(Fixture.state(), [.connection])
        await scene.time.settle()

        #expect(scene.presenter.calls == [.reachability(.online), .contacts([bob], isLoading: false, isReload: true)])
    }

    @Test("a fetch that fails is said; the next connection tries again")
    func fetchFails() async {
        scene.users.lists = [.failure(.refused("No.")), .success([ListContactsScene.bob])]
        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.contains(.failure(.init(error: .refused("No.")))))

        await scene.chat.publish(
            Fixture.state([Fixture.room(with: Fixture.bob)], connection: .offline(reason: .timedOut, retryAt: nil)),
            [.connection])
        await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob)]), [.connection])
        await scene.time.settle()

        #expect(scene.users.calls == [.contacts, .contacts])
    }

    @Test("a fetch that fails after the connection came back is tried again")
    func failsLate() async {
        await scene.start()
        scene.users.lists = [
            .failure(.network(.interrupted)), .success([ListContactsScene.bob, ListContactsScene.cy]),
        ]
        scene.users.meanwhile = { [scene] _ in
            guard scene.users.calls.count == 1 else { return }
            let state = Fixture.state([Fixture.room(with: Fixture.bob)])
            await scene.chat.publish(state, [.connection])
        }

        await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob)]), [.contacts])
        await scene.time.settle()

        #expect(scene.users.calls == [.contacts, .contacts])
        #expect(
            scene.presenter.calls == [.event(.added, cy), .contacts([bob, cy], isLoading: false, isReload: false)])
    }

    @Test("a connection that comes back with nothing missed fetches nothing")
    func steady() async {
        await scene.start()

        await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob)]), [.connection])
        await scene.time.settle()

        #expect(scene.users.calls.isEmpty)
        #expect(scene.presenter.calls.isEmpty)
    }

    @Test("contacts that change elsewhere are fetched again, and told once each")
    func changedElsewhere() async {
        await scene.start()
        scene.users.lists = [.success([ListContactsScene.cy])]

        await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob)]), [.contacts])
        await scene.time.settle()

        #expect(
            scene.presenter.calls == [
                .event(.removed, bob), .event(.added, cy), .contacts([cy], isLoading: false, isReload: false),
            ])
    }

    @Test("a change that comes while the answer is under way makes it be asked for again")
    func changedMeanwhile() async {
        scene.users.lists = [
            .success([ListContactsScene.bob]), .success([ListContactsScene.bob, ListContactsScene.cy]),
        ]
        scene.users.meanwhile = { [scene] _ in
            guard scene.users.calls.count == 1 else { return }
            await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob)]), [.contacts])
        }

        await scene.interactor.start(request: .init())

        #expect(scene.users.calls == [.contacts, .contacts])
        #expect(scene.presenter.calls.last == .contacts([bob, cy], isLoading: false, isReload: true))
    }

    @Test("presence, typing and counts change the list and are no events")
    func news() async {
        await scene.start()
        var room = Fixture.room(with: Fixture.bob)
        room.typing = [bob]
        room.unreadCount = 2
        let state = Fixture.state([room])

        await scene.chat.publish(state, [.typing(room.id), .room(room.id)])
        await scene.chat.publish(state, [.presence(cy)])

        #expect(scene.presenter.calls == [.contacts([bob], isLoading: false, isReload: false)])
        #expect(scene.presenter.contacts?.contacts.first?.isTyping == true)
        #expect(scene.presenter.contacts?.contacts.first?.unreadCount == 2)
    }

    @Test("somebody who leaves is told")
    func left() async {
        await scene.start()

        await scene.chat.publish(
            Fixture.state([Fixture.room(with: Fixture.bob, membership: .leave)]), [.room(Fixture.room)])

        #expect(scene.presenter.calls.first == .event(.left, bob))
    }

    @Test(
        "a session that the server ends, or that runs out, leads to Login, once, with the reason",
        arguments: [
            (ChatUpdate.Change.sessionEnded, Login.Reason.sessionEnded), (.sessionExpired, .sessionExpired),
        ])
    func sessionEnds(_ change: ChatUpdate.Change, _ reason: Login.Reason) async {
        await scene.start()

        await scene.chat.publish(Fixture.state(connection: .ended), [change, .connection])
        await scene.chat.publish(Fixture.state(connection: .ended), [change])
        await scene.interactor.fetchContacts(request: .init())

        #expect(scene.presenter.calls == [.sessionEnd(reason)])
        #expect(scene.interactor.loginReason == reason)
        #expect(!scene.chat.isListenedTo)
    }

    @Test(
        "a fetch that finds the session refused leads to Login",
        arguments: [
            (UsersError.unauthenticated, Login.Reason.sessionEnded), (.noSession, .sessionEnded),
            (.expired, .sessionExpired),
        ])
    func unauthenticated(_ error: UsersError, _ reason: Login.Reason) async {
        scene.users.lists = [.failure(error)]

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

    @Test(
        "what another session has left of the chat is ended first",
        arguments: [
            (UserID("@other:words.test"), Models.Connection.online), (Fixture.alice.chatID, .ended),
        ])
    func leftOver(_ ownID: UserID, _ connection: Models.Connection) async {
        var state = ChatState(ownID: ownID)
        state.connection = connection
        scene.chat.state = state

        await scene.interactor.start(request: .init())

        #expect(scene.chat.calls == [.disconnect, .subscribe, .connect(Fixture.session())])
    }

    @Test("at midnight the list is presented anew, every night")
    func midnight() async {
        await scene.start()

        await scene.time.advance(.seconds(15 * 3_600 - 1))

        #expect(scene.presenter.take().isEmpty)

        await scene.time.advance(.seconds(1))

        #expect(scene.presenter.take() == [.contacts([bob], isLoading: false, isReload: false)])

        await scene.time.advance(.seconds(86_400))

        #expect(scene.presenter.take() == [.contacts([bob], isLoading: false, isReload: false)])
    }

    @Test("a scene that has gone hears nothing and holds no timer")
    func leaving() async {
        await scene.start()

        scene.interactor.leave()
        await scene.chat.publish(Fixture.state(), [.sessionEnded, .contacts])
        await scene.time.advance(.seconds(86_400))

        #expect(scene.presenter.calls.isEmpty)
        #expect(scene.time.clock.nextDeadline == nil)
        #expect(!scene.chat.isListenedTo)
    }

    @Test("a scene that goes while it connects hears nothing afterwards")
    func leavingEarly() async {
        scene.chat.meanwhile = { [interactor = scene.interactor] call in
            if call == .subscribe { interactor.leave() }
        }

        await scene.interactor.start(request: .init())

        #expect(scene.chat.calls == [.subscribe])
        #expect(!scene.chat.isListenedTo)
        #expect(scene.presenter.calls == [.reachability(.connecting), .contacts([], isLoading: true, isReload: false)])
    }
}
