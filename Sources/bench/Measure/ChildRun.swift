import Foundation

/// What one process took from its start to its end.
struct ChildRun {
    var wall: Duration
    /// User and system.
    var processor: Duration
    /// The most memory that was resident, in bytes, as it was seen every few milliseconds.
    var peakMemory: Int
    /// From the start to the first output that contains what was waited for; nil where it never came.
    var firstOutput: Duration?
    var output: String
    var status: Int32

    /// Runs `arguments`, the first of them the executable's path, with `input` on its standard input.
    static func measure(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], awaiting text: String? = nil
    ) throws -> ChildRun {
        let (toChild, fromChild) = (Pipe(), Pipe())
        let start = ContinuousClock.now
        let process = try spawn(arguments, environment, toChild, fromChild)
        try? toChild.fileHandleForReading.close()
        try? fromChild.fileHandleForWriting.close()
        try? toChild.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? toChild.fileHandleForWriting.close()
        var output: [UInt8] = []
        var first: Duration?
        var peak = 0
        while true {
            if isReadable(fromChild) {
                let part = fromChild.fileHandleForReading.availableData
                guard !part.isEmpty else { break }
                output += part
                // Not the whole each time: looking would take longer than what is measured.
                let recent = output.suffix(part.count + (text?.utf8.count ?? 0))
                if first == nil, text.map({ String(decoding: recent, as: UTF8.self).contains($0) }) ?? true {
                    first = start.duration(to: .now)
                }
            }
            peak = ResidentMemory.peak(of: process) ?? peak
        }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        return ChildRun(
            wall: start.duration(to: .now), processor: duration(usage.ru_utime) + duration(usage.ru_stime),
            peakMemory: peak, firstOutput: first,
            output: String(decoding: output, as: UTF8.self), status: status)
    }

    /// Waits for output, and no longer than until the memory is worth another look.
    private static func isReadable(_ pipe: Pipe) -> Bool {
        var poll = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&poll, 1, 5) != 0
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], _ input: Pipe, _ output: Pipe
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, 0)
        posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
        for descriptor in [
            input.fileHandleForReading, input.fileHandleForWriting, output.fileHandleForReading,
            output.fileHandleForWriting,
        ].map(\.fileDescriptor) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var words = arguments.map { strdup($0) } + [nil]
        var names = variables.map { strdup($0) } + [nil]
        defer { (words + names).forEach { free($0) } }
        var process: pid_t = 0
        guard posix_spawn(&process, arguments[0], &actions, nil, &words, &names) == 0 else {
            throw BenchError("\(arguments[0]) does not start")
        }
        return process
    }
}
