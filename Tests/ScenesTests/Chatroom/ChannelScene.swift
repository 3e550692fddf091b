import Models
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
