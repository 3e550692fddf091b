import Models

@MainActor
public protocol LaunchPresentationLogic: AnyObject {
    func presentResume(response: Launch.Resume.Response)
}

@MainActor
public protocol LaunchDisplayLogic: AnyObject {
    func displayResume(viewModel: Launch.Resume.ViewModel)
}

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
            case .expired: .init(destination: .login)
            case .unreadable(let what): .init(destination: .welcome, notice: Wording.unreadableSession(what))
            }
        view?.displayResume(viewModel: viewModel)
    }
}
