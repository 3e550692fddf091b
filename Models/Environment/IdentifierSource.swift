/// Where transaction ids, suffixes of local parts and the like come from.
///
/// Not for secrets: those come from the system's own generator whatever the environment.
public protocol IdentifierSource: Sendable {
    /// `length` characters of `a-z0-9`.
    func next(length: Int) -> String
    /// Evenly spread in `0..<1`: the jitter of a back-off.
    func nextFraction() -> Double
}

/// Identifiers from a generator: the system's, or a seeded one that yields the same stream every time.
public struct GeneratedIdentifiers: IdentifierSource {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    private let generator: Locked<any RandomNumberGenerator & Sendable>

    public init(_ generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        self.generator = Locked(generator)
    }

    public init(seed: UInt64) { self.init(SplitMix64(state: seed)) }

    public func next(length: Int) -> String {
        generator.withLock { generator in
            String((0..<length).compactMap { _ in Self.alphabet.randomElement(using: &generator) })
        }
    }

    public func nextFraction() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }
}

/// Sebastiano Vigna's SplitMix64: small, seeded, good enough for identifiers that need not be secret.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(state: UInt64) { self.state = state }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
