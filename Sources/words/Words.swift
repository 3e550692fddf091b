import Foundation

@main
enum Words {
    static func main() async {
        // A reader that goes away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let streams = StandardStreams()
        let status = await Program(streams: streams).run(Array(CommandLine.arguments.dropFirst()))
        exit(status)
    }
}

/// The program from its arguments to its exit code.
@MainActor
struct Program {
    let streams: StandardStreams

    func run(_ arguments: [String]) async -> Int32 {
        do {
            try await perform(try Invocation.parse(arguments))
            return status(0)
        } catch {
            let failure = Failure(error)
            failure.lines.forEach(streams.say)
            return status(failure.status)
        }
    }

    private func status(_ status: Int32) -> Int32 {
        switch streams.ending {
        case .closed: Failure.closedOutput.status
        case .unwritable where status == 0: Failure.unwritableOutput.status
        case .unwritable, nil: status
        }
    }

    private func perform(_ invocation: Invocation) async throws {
        switch invocation.request {
        case .help(let verb): HelpText.lines(of: verb).forEach(streams.show)
        case .version: streams.show(HelpText.version)
        case .perform:
            switch invocation.verb {
            case .chat: try await ChatCommand(invocation, streams: streams).run()
            case .run: try await RunCommand(invocation, streams: streams).run()
            case .demo: try await RunCommand(invocation, streams: streams).demonstrate()
            case .serve: try await ServeCommand(invocation, streams: streams).run()
            case .passwd: try await PasswdCommand(invocation, streams: streams).run()
            }
        }
    }
}
