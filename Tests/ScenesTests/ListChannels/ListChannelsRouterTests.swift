import Models
import Testing

@testable import Scenes

@MainActor
@Suite("ListChannelsRouter")
struct ListChannelsRouterTests {
    private let navigator = NavigatorSpy()
    private let store = ListChannelsStore()

    private var router: ListChannelsRouter { ListChannelsRouter(navigator: navigator, dataStore: store) }

    @Test("the chatroom gets the chosen channel, the contacts, who one is and the session")
    func chatroom() async {
        store.session = Fixture.session()
        store.contacts = [Fixture.contact(Fixture.bob)]
        store.selectedChannel = Channel(id: RoomID("!tea"), name: "Tea")

        await router.routeToChatroom()

        #expect(navigator.calls == [.channel(store.selectedChannel, nil)])
        #expect(navigator.chatroom?.contacts == store.contacts)
        #expect(navigator.chatroom?.currentUser == Fixture.alice)
        #expect(navigator.chatroom?.session == store.session)
    }

    @Test("the contacts get the session")
    func contacts() async {
        store.session = Fixture.session()

        await router.routeToListContacts()

        #expect(navigator.calls == [.listContacts(Fixture.session(), nil)])
    }

    @Test("Login gets the reason")
    func login() async {
        store.loginReason = .sessionEnded

        await router.routeToLogin()

        #expect(navigator.calls == [.login(.sessionEnded)])
    }

    @Test("Welcome gets the notice")
    func welcome() async {
        await router.routeToWelcome(notice: "Why")

        #expect(navigator.calls == [.welcome("Why")])
    }
}
