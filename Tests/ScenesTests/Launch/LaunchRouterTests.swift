import Models
import Testing

@testable import Scenes

@MainActor
@Suite("LaunchRouter")
struct LaunchRouterTests {
    private let navigator = NavigatorSpy()
    private let store = LaunchStore()

    @Test("the contacts get the session and why the server could not be asked")
    func listContacts() async {
        store.session = Fixture.session()
        store.fault = .timedOut

        await LaunchRouter(navigator: navigator, dataStore: store).routeToListContacts()

        #expect(navigator.calls == [.listContacts(Fixture.session(), .timedOut)])
    }

    @Test("Login gets the reason")
    func login() async {
        store.loginReason = .sessionExpired

        await LaunchRouter(navigator: navigator, dataStore: store).routeToLogin()

        #expect(navigator.calls == [.login(.sessionExpired)])
    }

    @Test("Welcome gets the notice")
    func welcome() async {
        await LaunchRouter(navigator: navigator, dataStore: store).routeToWelcome(notice: "Why")

        #expect(navigator.calls == [.welcome("Why")])
    }
}
