import Foundation

/// When a comparison may write a golden file.
///
/// A comparison that has written fails nevertheless: nothing is green that nobody has looked at. And where the
/// environment variable `CI` is set nothing is ever written, whatever the mode.
public enum RecordMode: String, Sendable, CaseIterable {
    /// Never; a golden that is not there is a failure. The default.
    case never
    /// Where there is no golden yet.
    case missing
    /// Where there is none yet and where it differs.
    case failed
    /// In any case, also where it is the same: renews the files' times and ends.
    case all

    /// The mode that the environment variable `TEXT_SNAPSHOTS` names; `never` where it names none, and under `CI`.
    public static func named(by environment: [String: String] = ProcessInfo.processInfo.environment) -> RecordMode {
        let named = environment["TEXT_SNAPSHOTS"].flatMap(RecordMode.init(rawValue:)) ?? .never
        return named.allowed(in: environment)
    }

    /// This mode, or `never` under `CI`.
    public func allowed(in environment: [String: String] = ProcessInfo.processInfo.environment) -> RecordMode {
        let isCI = environment["CI"].map { !$0.isEmpty && $0 != "0" && $0 != "false" } ?? false
        return isCI ? .never : self
    }
}
