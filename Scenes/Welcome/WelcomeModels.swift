import Models

/// Signed out: sign in or sign up. The scene has no logic, hence neither interactor nor presenter.
public enum Welcome {
    public struct ViewModel: Equatable, Sendable {
        public var title = "Words"
        /// Why one is here, where nobody asked to be.
        public var notice: RemoteText?

        public init(notice: RemoteText?) { self.notice = notice }
    }
}
