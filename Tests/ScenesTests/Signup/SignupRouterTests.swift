import Models
import Testing

@testable import Scenes

@MainActor
@Suite("SignupRouter")
struct SignupRouterTests {
    private let navigator = NavigatorSpy()

    @Test("the contacts get the new session")
    func listContacts() async {
        let store = SignupStore()
        store.session = Fixture.session()

        await SignupRouter(navigator: navigator, dataStore: store).routeToListContacts()

        #expect(navigator.calls == [.listContacts(Fixture.session(), nil)])
    }

    @Test("cancelling leads to Welcome")
    func welcome() async {
        await SignupRouter(navigator: navigator, dataStore: SignupStore()).routeToWelcome()

        #expect(navigator.calls == [.welcome(nil)])
    }
}
