import Foundation

/// `words-bench`: speed and memory, measured side by side.
@main
enum Bench {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do { try await run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("words-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static let help = """
        usage: words-bench [--only NAME,…] [--python PATH] [--target URL] [--repeats N] [--report FILE]

        Measures the embedded server and the client, side by side with others, and writes what it found to FILE.

          --only     of \(Setting.all.map { $0.name }.joined(separator: ", ")): only these
          --python   the Python of a virtual environment with matrix-synapse and matrix-nio, to compare with
          --target   a homeserver (http://127.0.0.1:8008) whose sends and polls are measured in place of those
                     started here; it must let anybody sign up, and not limit rates
          --repeats  how often each figure is taken; the median counts (else 5)
          --report   (else standard output)
        """

    private static func run(_ arguments: [String]) async throws {
        raiseFileLimit()
        if let child = arguments.first.flatMap(Child.init) { return try await child.run(Array(arguments.dropFirst())) }
        if arguments.contains("--help") { return print(help) }
        let options = try Options(arguments)
        var report = Report()
        if options.setting.python == nil, options.setting.target == nil {
            report.gaps.append("Synapse, matrix-nio and matrix-commander: not installed here.")
        }
        for benchmark in Setting.all where options.only?.contains(benchmark.name) ?? true {
            FileHandle.standardError.write(Data("\(benchmark.name) …\n".utf8))
            try benchmark.init().run(options.setting, &report)
        }
        let text = report.markdown(of: machine(options.setting))
        guard let file = options.report else { return print(text, terminator: "") }
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    private static func machine(_ setting: Setting) -> String {
        let cores = ProcessInfo.processInfo.processorCount
        return "\(setting.repeats) repeats, \(cores) cores, \(ProcessInfo.processInfo.operatingSystemVersionString)."
    }
}

private struct Options {
    var setting = Setting()
    var only: Set<String>?
    var report: String?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw BenchError("\(option) needs a value; see --help") }
            switch option {
            case "--only":
                let names = value.split(separator: ",").map(String.init)
                if let odd = names.first(where: { name in !Setting.all.contains { $0.name == name } }) {
                    throw BenchError("there is no benchmark \(odd); see --help")
                }
                only = Set(names)
            case "--python": setting.python = value
            case "--target": setting.target = value
            case "--repeats":
                guard let repeats = Int(value), repeats > 0 else { throw BenchError("--repeats takes a number") }
                setting.repeats = repeats
            case "--report": report = value
            default: throw BenchError("there is no option \(option); see --help")
            }
        }
    }
}
