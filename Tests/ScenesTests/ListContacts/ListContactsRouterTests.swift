import Testing

@testable import Scenes

@MainActor
@Suite("ListContactsRouter")
struct ListContactsRouterTests {
    private let navigator = NavigatorSpy()
    private let store = ListContactsStore()

    @Test("the chatroom gets the chosen contact, all contacts and who one is")
    func chatroom() async {
        let bob = Fixture.contact(Fixture.bob)
        store.session = Fixture.session()
        store.contacts = [bob, Fixture.contact(Fixture.cy)]
        store.selectedContact = bob

        await ListContactsRouter(navigator: navigator, dataStore: store).routeToChatroom()

        #expect(navigator.calls == [.chatroom(bob, store.contacts, Fixture.alice)])
    }

    @Test("the channels get the session")
    func channels() async {
        store.session = Fixture.session()

        await ListContactsRouter(navigator: navigator, dataStore: store).routeToListChannels()

        #expect(navigator.calls == [.listChannels(Fixture.session(), nil)])
    }

    @Test("Login gets the reason")
    func login() async {
        store.loginReason = .sessionEnded

        await ListContactsRouter(navigator: navigator, dataStore: store).routeToLogin()

        #expect(navigator.calls == [.login(.sessionEnded)])
    }

    @Test("Welcome gets the notice")
    func welcome() async {
        await ListContactsRouter(navigator: navigator, dataStore: store).routeToWelcome(notice: "Why")

        #expect(navigator.calls == [.welcome("Why")])
    }
}
