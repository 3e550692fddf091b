import Testing

@testable import Scenes

@MainActor
@Suite("WelcomeRouter")
struct WelcomeRouterTests {
    @Test("one can sign in or sign up, without a reason")
    func routes() async {
        let navigator = NavigatorSpy()
        let router = WelcomeRouter(navigator: navigator)

        await router.routeToLogin()
        await router.routeToSignup()

        #expect(navigator.calls == [.login(nil), .signup])
    }
}
