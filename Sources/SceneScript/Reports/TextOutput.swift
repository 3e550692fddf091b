/// Where a run writes: what scenes show, and what is to be said about it.
@MainActor
public struct TextOutput {
    public var standardOutput: (String) -> Void
    public var standardError: (String) -> Void

    /// - Parameters: Each gets one line, without its newline.
    public init(standardOutput: @escaping (String) -> Void, standardError: @escaping (String) -> Void) {
        self.standardOutput = standardOutput
        self.standardError = standardError
    }
}
