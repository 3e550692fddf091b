import CSodium
import Foundation
import Models

/// The few things that are taken from libsodium.
enum Sodium {
    /// Whether the library can be used; it wants to be asked once before all else.
    static let isReady = sodium_init() >= 0

    static func sha256(_ text: String) -> [UInt8] {
        var text = text
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        text.withUTF8 { _ = crypto_hash_sha256(&hash, $0.baseAddress, UInt64($0.count)) }
        return hash
    }

    /// 256 bits that nobody can guess, in characters that need no escaping in a URL, a header or a file.
    static func randomToken() -> Secret {
        guard isReady else { fatalError("libsodium could not be initialised; the system has no source of randomness") }
        var bytes = [UInt8](repeating: 0, count: 32)
        randombytes_buf(&bytes, bytes.count)
        let text = Data(bytes).base64EncodedString()
        return Secret(
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
    }

    /// Takes the same time wherever two texts of one length differ.
    static func isEqual(_ left: Secret, _ right: Secret) -> Bool {
        // Hashes, so that lengths do not matter either.
        let left = sha256(left.reveal())
        let right = sha256(right.reveal())
        return sodium_memcmp(left, right, left.count) == 0
    }
}

/// A token as it is stored: its SHA-256. Tokens are random, so nothing slower is needed.
struct TokenHash: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ token: Secret) { bytes = Sodium.sha256(token.reveal()) }

    init(bytes: [UInt8]) { self.bytes = bytes }
}
