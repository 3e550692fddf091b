import Models
import Testing

@testable import Scenes

@MainActor
@Suite("ChatroomRouter")
struct ChatroomRouterTests {
    private let navigator = NavigatorSpy()
    private let store = ChatroomStore()
    private let tea = Channel(id: RoomID("!tea"), name: "Tea")
    private let general = Channel(id: RoomID("!general"), name: "General Channel")

    private var router: ChatroomRouter { ChatroomRouter(navigator: navigator, dataStore: store) }

    @Test("back leads to the scene below")
    func back() async {
        await router.routeBack()

        #expect(navigator.calls == [.dismiss])
    }

    @Test("of the two lists, the one that the chat was opened from is below it; the other is shown anew")
    func lists() async {
        store.session = Fixture.session()

        await router.routeToListContacts()
        await router.routeToListChannels()
        store.channel = tea
        await router.routeToListContacts()
        await router.routeToListChannels()

        #expect(
            navigator.calls == [
                .dismiss, .listChannels(Fixture.session(), nil), .listContacts(Fixture.session(), nil), .dismiss,
            ])
    }

    @Test("from a channel that is closed it goes to General, which is told why and all that the channel was told")
    func closed() async {
        store.channel = tea
        store.general = general
        store.contacts = [Fixture.contact(Fixture.bob)]
        store.currentUser = Fixture.alice
        store.session = Fixture.session()

        await router.routeToGeneral(notice: "Tea has been deleted.")

        #expect(navigator.calls == [.dismiss, .channel(general, "Tea has been deleted.")])
        #expect(navigator.chatroom?.contacts == store.contacts)
        #expect(navigator.chatroom?.currentUser == Fixture.alice)
        #expect(navigator.chatroom?.session == store.session)
    }

    @Test("to the list where one is not in General, or it is General that is closed")
    func closedWithoutGeneral() async {
        store.channel = tea
        await router.routeToGeneral(notice: "Tea has been deleted.")
        store.channel = general
        store.general = general
        await router.routeToGeneral(notice: "You have been removed.")

        #expect(
            navigator.calls == [
                .listChannels(nil, "Tea has been deleted."), .listChannels(nil, "You have been removed."),
            ])
    }
}
