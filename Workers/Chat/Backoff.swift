import Models

/// How long to wait before trying again.
///
/// | failures in a row | 1 | 2 | 3 | 4 | 5 | 6 | 7 and more |
/// |---|---|---|---|---|---|---|---|
/// | seconds, at most | 1 | 2 | 4 | 8 | 16 | 32 | 60 |
///
/// Up to a quarter less by jitter, so that many clients do not come back at once. Matrix client-server API, "Rate
/// limiting", leaves the schedule to the client.
enum Backoff {
    static let longest = Duration.seconds(60)

    /// `fraction` in `0..<1` comes from the environment. A wait that the server asked for is kept to, where it is one.
    static func delay(failures: Int, fraction: Double, asked: Duration? = nil) -> Duration {
        if let asked, asked >= .seconds(1) { return min(asked, .seconds(3_600)) }
        let seconds = failures > 6 ? 60 : 1 << max(failures - 1, 0)
        return .milliseconds(seconds * 1_000 - Int(Double(seconds * 250) * fraction))
    }
}

extension NetworkFault {
    /// How long the server asks to wait; nil where it does not.
    var askedWait: Duration? { if case .limited(let wait) = self { wait } else { nil } }
}
