import Models

/// What there is to tell about the launch, not yet in words.
@MainActor
public protocol LaunchPresentationLogic: AnyObject {
    func presentResume(response: Launch.Resume.Response)
}

/// What a view of the launch shows; the one part to replace for another kind of screen.
@MainActor
public protocol LaunchDisplayLogic: AnyObject {
    func displayResume(viewModel: Launch.Resume.ViewModel)
}

/// Puts responses into words. Whoever assembles the scene sets `view`, which is held weakly.
@MainActor
public final class LaunchPresenter: LaunchPresentationLogic {
    public weak var view: (any LaunchDisplayLogic)?
    private let trace: Trace

    public init(trace: Trace = .off) { self.trace = trace }

    public func presentResume(response: Launch.Resume.Response) {
        trace(response)
        let viewModel: Launch.Resume.ViewModel =
            switch response.outcome {
            case .signedIn, .offline: .init(destination: .listContacts)
            case .signedOut: .init(destination: .welcome)
            case .ended, .expired: .init(destination: .login)
            case .unreadable(let what): .init(destination: .welcome, notice: Wording.unreadableSession(what))
            }
        view?.displayResume(viewModel: viewModel)
    }
}
