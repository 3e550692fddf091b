import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ListChannelsInteractor: what is asked for")
struct ListChannelsCommandsTests {
    private let scene = ListChannelsScene()
    private let tea = ListChannelsScene.tea
    private let cocoa = ListChannelsScene.cocoa

    private var presented: [ListChannelsPresenterSpy.Call] { scene.presenter.calls }

    @Test("a channel is made with its name as typed but for blanks around it and control characters")
    func create() async {
        await scene.start()

        await scene.interactor.createChannel(request: .init(name: " Black\u{7} tea \n"))
        await scene.interactor.createChannel(request: .init(name: "Plans", isPrivate: true))

        #expect(
            scene.chat.calls == [
                .createChannel("Black tea", isPrivate: false), .createChannel("Plans", isPrivate: true),
            ])
        let made = RoomID("!made:words.test")
        #expect(
            presented == [.create(.init(name: "Black tea", roomID: made)), .create(.init(name: "Plans", roomID: made))])
    }

    @Test("a name of nothing is refused", arguments: ["", " \n", "\u{200B}", "\u{1B}"])
    func nameless(_ name: String) async {
        await scene.start()

        await scene.interactor.createChannel(request: .init(name: name))

        #expect(scene.chat.calls.isEmpty)
        guard case .create(let response) = presented.last else { return #expect(Bool(false), "\(presented)") }
        #expect(response.fault == .missing)
    }

    @Test(
        "the name of the channel for everybody is refused in any case and with any blanks",
        arguments: ["General Channel", " general  CHANNEL ", "GENERAL\tchannel", "Géneral Channel"])
    func reserved(_ name: String) async {
        await scene.start()

        await scene.interactor.createChannel(request: .init(name: name))

        #expect(scene.chat.calls.isEmpty)
        guard case .create(let response) = presented.last else { return #expect(Bool(false), "\(presented)") }
        #expect(response.fault == .reserved)
    }

    @Test("a name that is taken is refused, by the list in view or by the server")
    func taken() async {
        await scene.start()
        scene.chat.created = .failure(.taken("Somebody has it."))

        await scene.interactor.createChannel(request: .init(name: "TEA"))
        let asked = scene.chat.calls
        await scene.interactor.createChannel(request: .init(name: "Spice"))

        #expect(asked.isEmpty)
        #expect(
            presented == [.create(.init(name: "TEA", fault: .taken)), .create(.init(name: "Spice", fault: .taken))])
    }

    @Test("a name may have 64 characters as people see them")
    func long() async {
        await scene.start()
        let flags = String(repeating: "🇩🇪", count: 64)

        await scene.interactor.createChannel(request: .init(name: flags))
        await scene.interactor.createChannel(request: .init(name: flags + "!"))

        #expect(scene.chat.calls == [.createChannel(flags, isPrivate: false)])
        #expect(presented.last == .create(.init(name: flags + "!", fault: .tooLong(limit: 64))))
    }

    @Test("what the server says against a channel is passed on")
    func createFails() async {
        await scene.start()
        scene.chat.created = .failure(.refused("No."))

        await scene.interactor.createChannel(request: .init(name: "Spice"))

        #expect(presented == [.create(.init(name: "Spice", fault: .chat(.refused("No."))))])
    }

    @Test("a public channel is joined by its number, name or id")
    func join() async {
        await scene.start()

        for which in ["1", "COCOA", "!cocoa"] {
            await scene.interactor.act(request: .init(kind: .join, which: which))
        }

        #expect(scene.chat.calls == [.join(cocoa.id), .join(cocoa.id), .join(cocoa.id)])
        #expect(presented == Array(repeating: .act(.join, nil, unfinished: nil), count: 3))
    }

    @Test("an invitation is accepted or declined, and nothing else is")
    func invitations() async {
        await scene.start()
        await scene.publish(tea, ListChannelsScene.channel("plans", "Plans", .invite, rule: "invite"))
        scene.presenter.calls = []

        await scene.interactor.act(request: .init(kind: .join, which: "Plans"))
        await scene.interactor.act(request: .init(kind: .accept, which: "Plans"))
        await scene.interactor.act(request: .init(kind: .decline, which: "Plans"))
        await scene.interactor.act(request: .init(kind: .accept, which: "Cocoa"))
        await scene.interactor.act(request: .init(kind: .decline, which: "Tea"))

        #expect(scene.chat.calls == [.join(RoomID("!plans")), .leave(RoomID("!plans"))])
        #expect(
            presented == [
                .act(.join, .isInvited, unfinished: nil), .act(.accept, nil, unfinished: nil),
                .act(.decline, nil, unfinished: nil), .act(.accept, .notInvited, unfinished: nil),
                .act(.decline, .notInvited, unfinished: nil),
            ])
    }

    @Test("what goes by no channel's name is told, and nothing is asked")
    func unclear() async {
        await scene.start()

        await scene.interactor.act(request: .init(kind: .join, which: "Coffee"))
        await scene.interactor.act(request: .init(kind: .delete, which: "9"))

        #expect(scene.chat.calls.isEmpty)
        #expect(presented == [.unclear(.join, .none("Coffee")), .unclear(.delete, .noSuchRow(9, count: 3))])
    }

    @Test("a refusal is passed on")
    func actFails() async {
        await scene.start()
        scene.chat.failure = .refused("No.")

        await scene.interactor.act(request: .init(kind: .join, which: "Cocoa"))

        #expect(presented == [.act(.join, .chat(.refused("No.")), unfinished: nil)])
    }

    @Test("a channel of one's own is deleted once that is confirmed")
    func delete() async {
        await scene.start()

        await scene.interactor.act(request: .init(kind: .delete, which: "Tea"))
        let asked = scene.chat.calls
        await scene.interactor.confirm(request: .init())
        await scene.interactor.confirm(request: .init())

        #expect(asked.isEmpty)
        #expect(scene.chat.calls == [.deleteChannel(tea.id)])
        #expect(
            presented == [
                .confirmation("Tea", isCancelled: false), .act(.delete, nil, unfinished: nil), .logout(.notAsked),
            ])
    }

    @Test("who says no deletes nothing")
    func deleteCancelled() async {
        await scene.start()

        await scene.interactor.act(request: .init(kind: .delete, which: "Tea"))
        await scene.interactor.cancel(request: .init())
        await scene.interactor.confirm(request: .init())

        #expect(scene.chat.calls.isEmpty)
        #expect(presented.suffix(2) == [.confirmation("Tea", isCancelled: true), .logout(.notAsked)])
    }

    @Test("others' channels are not deleted, and General not even by who made it")
    func deleteRefused() async {
        scene.chat.meanwhile = { [chat = scene.chat] call in
            if case .connect = call {
                chat.state = Fixture.channels(
                    ListChannelsScene.channel("general", "General Channel", alias: "#general:words.test"))
            }
        }
        await scene.start()

        await scene.interactor.act(request: .init(kind: .delete, which: "Cocoa"))
        await scene.interactor.act(request: .init(kind: .delete, which: "General Channel"))
        await scene.interactor.confirm(request: .init())

        #expect(scene.chat.calls.isEmpty)
        #expect(
            presented == [
                .act(.delete, .notCreator, unfinished: nil), .act(.delete, .general, unfinished: nil),
                .logout(.notAsked),
            ])
    }

    @Test(
        "a deletion that fails, or is cut off, is told",
        arguments: [Result<ChannelDeletion, ChatError>.failure(.refused("No.")), .success(.unfinished(.notConnected))])
    func deleteFails(_ result: Result<ChannelDeletion, ChatError>) async {
        await scene.start()
        scene.chat.deleted = result

        await scene.interactor.act(request: .init(kind: .delete, which: "Tea"))
        await scene.interactor.confirm(request: .init())

        switch result {
        case .failure: #expect(presented.last == .act(.delete, .chat(.refused("No.")), unfinished: nil))
        case .success: #expect(presented.last == .act(.delete, nil, unfinished: .notConnected))
        }
    }

    @Test("the channel that is opened is handed on, one that is not clear leaves none chosen")
    func select() async {
        await scene.start()

        await scene.interactor.selectChannel(request: .init(which: "Tea"))
        let chosen = scene.interactor.selectedChannel
        await scene.interactor.selectChannel(request: .init(which: "Coffee"))

        #expect(chosen == Channel(id: tea.id, name: "Tea"))
        #expect(scene.interactor.selectedChannel == nil)
        #expect(presented.last == .select(.none("Coffee")))
    }

    @Test("logging out is asked first, with what would be lost")
    func logout() async {
        scene.chat.meanwhile = { [chat = scene.chat, tea] call in
            guard case .connect = call else { return }
            var room = tea
            room.timeline.outgoing = [Fixture.outgoing(1, .waiting), Fixture.outgoing(2, .sent(EventID("$2")))]
            chat.state = Fixture.channels(room)
        }
        await scene.start()

        await scene.interactor.logout(request: .init())
        let asked = (scene.users.calls, scene.chat.calls)
        await scene.interactor.confirm(request: .init())

        #expect(asked.0.isEmpty && asked.1.isEmpty)
        #expect(scene.chat.calls == [.disconnect])
        #expect(scene.users.calls == [.logout])
        #expect(presented == [.logout(.confirm(unsent: 1)), .logout(.loggedOut(.complete))])
    }

    @Test("who says no stays logged in")
    func logoutCancelled() async {
        await scene.start()

        await scene.interactor.logout(request: .init())
        await scene.interactor.cancel(request: .init())
        await scene.interactor.cancel(request: .init())

        #expect(scene.users.calls.isEmpty)
        #expect(presented == [.logout(.confirm(unsent: 0)), .logout(.cancelled), .logout(.notAsked)])
    }

    @Test("the last question is the one that is answered")
    func lastQuestion() async {
        await scene.start()

        await scene.interactor.logout(request: .init())
        await scene.interactor.act(request: .init(kind: .delete, which: "Tea"))
        await scene.interactor.confirm(request: .init())

        #expect(scene.users.calls.isEmpty)
        #expect(scene.chat.calls == [.deleteChannel(tea.id)])
    }

    @Test(
        "whatever finds the session over leads to Login, and says nothing else",
        arguments: [(ChatError.sessionEnded, Login.Reason.sessionEnded), (.sessionExpired, .sessionExpired)])
    func sessionOver(_ error: ChatError, _ reason: Login.Reason) async {
        for act in ["create", "join", "delete"] {
            let scene = ListChannelsScene()
            await scene.start()
            scene.chat.created = .failure(error)
            scene.chat.deleted = .failure(error)
            scene.chat.failure = error

            switch act {
            case "create": await scene.interactor.createChannel(request: .init(name: "Spice"))
            case "join": await scene.interactor.act(request: .init(kind: .join, which: "Cocoa"))
            default:
                await scene.interactor.act(request: .init(kind: .delete, which: "Tea"))
                await scene.interactor.confirm(request: .init())
            }

            #expect(scene.presenter.calls.last == .sessionEnd(reason), "\(act)")
            #expect(scene.interactor.loginReason == reason)
        }
    }

    @Test("what is answered after the scene has gone is told to nobody")
    func gone() async {
        await scene.start()
        scene.chat.meanwhile = { [interactor = scene.interactor] _ in interactor.leave() }

        await scene.interactor.createChannel(request: .init(name: "Spice"))

        #expect(presented.isEmpty)
    }
}
