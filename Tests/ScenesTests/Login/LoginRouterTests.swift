import Models
import Testing

@testable import Scenes

@MainActor
@Suite("LoginRouter")
struct LoginRouterTests {
    private let navigator = NavigatorSpy()

    @Test("the contacts get the new session")
    func listContacts() async {
        let store = LoginStore()
        store.session = Fixture.session()

        await LoginRouter(navigator: navigator, dataStore: store).routeToListContacts()

        #expect(navigator.calls == [.listContacts(Fixture.session(), nil)])
    }

    @Test("cancelling leads to Welcome")
    func welcome() async {
        await LoginRouter(navigator: navigator, dataStore: LoginStore()).routeToWelcome()

        #expect(navigator.calls == [.welcome(nil)])
    }
}
