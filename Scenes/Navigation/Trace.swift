import Models

/// Writes each hop of the VIP cycle as one line: presenters trace responses, views trace requests and view models.
///
/// Secrets print as `<redacted>`; characters that could command a terminal print escaped.
@MainActor
public struct Trace {
    private let write: ((String) -> Void)?

    /// - Parameter write: Gets each line, without a newline; nil writes nothing and costs nothing.
    public init(write: ((String) -> Void)? = nil) { self.write = write }

    /// Traces nothing.
    public static var off: Trace { Trace() }

    public func callAsFunction<Value>(_ value: @autoclosure () -> Value) {
        guard let write else { return }
        write(TraceDescription.describe(value()))
    }
}
