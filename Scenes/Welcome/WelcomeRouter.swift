/// The ways out of the welcome screen.
@MainActor
public protocol WelcomeRoutingLogic: AnyObject {
    func routeToLogin() async
    func routeToSignup() async
}

/// Goes there through the navigator, which is held weakly.
@MainActor
public final class WelcomeRouter: WelcomeRoutingLogic {
    private weak var navigator: (any Navigator)?

    public init(navigator: any Navigator) { self.navigator = navigator }

    public func routeToLogin() async { await navigator?.showLogin { _ in } }

    public func routeToSignup() async { await navigator?.showSignup { _ in } }
}
