import Foundation
import Models
import SceneScript
import Scenes
import Server
import TextUI
import Workers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a program costs that links what `words` links and does nothing: the measure of its start-up.
@main
enum Empty {
    static func main() {
        guard CommandLine.arguments.dropFirst().first == "session" else { return }
        withExtendedLifetime(URLSession(configuration: .default)) {}
    }
}
