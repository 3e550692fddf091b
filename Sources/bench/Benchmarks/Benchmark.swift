/// One thing that is measured.
protocol Benchmark: Sendable {
    /// The word by which `--only` picks it.
    static var name: String { get }

    init()
    func run(_ setting: Setting, _ report: inout Report) throws
}

/// What the whole run has to do with.
struct Setting {
    /// How often each figure is taken; the report has the median.
    var repeats = 5
    /// The Python of a virtual environment with matrix-synapse, matrix-nio and matrix-commander; nil where there is none.
    var python: String?
    /// Another homeserver, in place of those that are started here.
    var target: String?

    static let all: [any Benchmark.Type] = [
        DurableSends.self, SendToSeen.self, IdlePolls.self, FirstSync.self, RoundTrips.self, OneShot.self, StartUp.self,
        RoomList.self, Rendering.self,
    ]

    /// Does `work` with each homeserver that is compared, one after the other.
    func withEachServer(_ work: (_ name: String, _ load: LoadGenerator, _ process: ServerProcess?) throws -> Void)
        throws
    {
        if let target { return try work(target, LoadGenerator(try Target(url: target)), nil) }
        try with(try .words(), work)
        if let python { try with(try .synapse(python: python), work) }
    }

    private func with(
        _ server: ServerProcess, _ work: (String, LoadGenerator, ServerProcess?) throws -> Void
    ) throws {
        defer { server.stop() }
        try work(server.name, LoadGenerator(server.target), server)
    }
}
