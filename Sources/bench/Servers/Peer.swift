import Foundation

/// Other people's clients, driven by the scripts of `Peers`.
enum Peer {
    /// Where the scripts stand in the sources that this was built from.
    static func script(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Peers").appendingPathComponent(name).path
    }
}
