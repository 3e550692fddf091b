/// What the server puts up with. Times are real time: they guard against slow peers and have no part in what the
/// product itself times.
package struct HTTPLimits: Sendable {
    /// The largest body of the Words API, in bytes.
    var wordsBody = 64 * 1_024
    /// The largest body of the Matrix API, in bytes: an event may have 64 KiB, its envelope comes on top.
    var matrixBody = 128 * 1_024
    /// How much of a body that is too large is read and thrown away, so that its sender gets to read the refusal.
    var discardedBody = 1_024 * 1_024
    /// Bytes of memory for each connection; request line and headers must fit in.
    var connectionMemory = 8 * 1_024
    var connections = 8_192
    var connectionsPerAddress = 256
    /// All clients of this machine have one address.
    var connectionsPerLoopbackAddress = 8_192
    /// How long a connection may go without a request, or take over its request line.
    var idle: Duration = .seconds(60)
    /// How long a request may take from its first line to the end of its body, however steadily it trickles.
    var receiving: Duration = .seconds(30)
    /// How long a client may take to read an answer.
    var answering: Duration = .seconds(120)
    /// How long stopping waits for what is in flight.
    var stopping: Duration = .seconds(5)
    /// How often connections are looked at for the limits above.
    var watchInterval: Duration = .milliseconds(500)

    package init() {}

    func body(ofPath path: String) -> Int { HTTPRequest.isMatrix(path) ? matrixBody : wordsBody }
}
