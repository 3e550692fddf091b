import Models

/// Writes each hop of the VIP cycle as one line: presenters trace responses, views trace requests and view models.
///
/// Secrets print as `<redacted>`; characters that could command a terminal print escaped.
@MainActor
public struct Trace {
    private let record: ((@escaping () -> String) -> Void)?

    /// - Parameter write: Gets each line, without a newline; nil writes nothing and costs nothing.
    public init(write: ((String) -> Void)? = nil) {
        record = write.map { write in { line in write(line()) } }
    }

    /// - Parameter record: Gets what makes each line: whoever keeps the lines for a bad day only pays on that day.
    public init(recording record: @escaping (@escaping () -> String) -> Void) { self.record = record }

    /// Traces nothing.
    public static var off: Trace { Trace() }

    public func callAsFunction<Value>(_ value: @autoclosure () -> Value) {
        guard let record else { return }
        let value = value()
        record { TraceDescription.describe(value) }
    }
}
