/// The scenes, by the names that scripts use.
public enum SceneName: String, CaseIterable, Sendable {
    case launch = "Launch"
    case welcome = "Welcome"
    case login = "Login"
    case signup = "Signup"
    case listContacts = "ListContacts"
    case listChannels = "ListChannels"
    case chatroom = "Chatroom"
}
