/// What a session needs of a terminal.
@MainActor
public protocol TerminalDevice: AnyObject {
    /// Whether the line being typed may be redrawn. Otherwise nothing but lines is written, without any escape.
    var isCapable: Bool { get }
    /// The columns of the window; nil where nobody says.
    var columns: Int? { get }
    /// Starts to read, and gives what comes and happens until the input ends.
    func start() -> AsyncStream<TerminalEvent>
    /// Whether what is typed shows. On a capable terminal the session shows it itself.
    func setEcho(_ isOn: Bool)
    func write(_ text: String)
    /// Gives the terminal back as it was.
    func end()
}

/// What comes from a terminal.
public enum TerminalEvent: Equatable, Sendable {
    case bytes([UInt8])
    /// The window has another size.
    case resized
    /// The process was stopped and goes on.
    case continued
    /// A signal that asks the process to end.
    case signal(Int32)
    /// Nothing more will come.
    case end
}

/// How a session on a terminal has ended.
public enum TerminalEnding: Equatable, Sendable {
    /// `quit`.
    case quit
    /// Ctrl-D, or the input is over.
    case endOfInput
    case signal(Int32)
}
