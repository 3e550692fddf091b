import Foundation

/// How long the executable takes before it does anything, against programs that do nothing.
struct StartUp: Benchmark {
    static let name = "start-up"

    func run(_ setting: Setting, _ report: inout Report) throws {
        let (words, empty) = (Executables.beside("words"), Executables.beside("words-bench-empty"))
        let folder = try ServerProcess.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var section = Report.Section(
            title: "Start-up", text: "Whole processes, from their start to their end, or to the first screen.",
            columns: ["what", "wall", "peak memory"])
        func measure(_ what: String, _ arguments: [String], input: String = "", awaiting: String? = nil) throws
            -> Double
        {
            var memory = 0
            let wall = try medianOf(4 * setting.repeats) {
                let run = try ChildRun.measure(
                    arguments, input: input, environment: ["HOME": folder.path], awaiting: awaiting)
                memory = run.peakMemory
                guard awaiting != nil else { return run.wall.milliseconds }
                guard let first = run.firstOutput else {
                    throw BenchError(
                        "`\(arguments.dropFirst().joined(separator: " "))` shows: \(run.output.prefix(300))")
                }
                return first.milliseconds
            }
            section.rows.append([what, Figure.milliseconds(wall), Figure.mebibytes(memory)])
            return wall
        }
        let bare = try measure("an empty program that links the same modules", [empty])
        let session = try measure("an empty program that makes a URLSession", [empty, "session"])
        let help = try measure("`words --help`", [words, "--help"])
        let home = folder.appendingPathComponent("home").path
        let save = try ChildRun.measure([Executables.own, Child.saveSession.rawValue, home, Self.nobody])
        guard save.status == 0 else { throw BenchError("no session could be made") }
        let resumed = try measure(
            "a resumed session to its first screen, the server down",
            [words, "--server", Self.nobody, "--home", home], input: "quit\n", awaiting: "Contacts")
        _ = try measure("`words demo`", [words, "demo"])
        report.sections.append(section)
        report.targets.append(
            .init(
                what: "`words --help`, against an empty program that links the same", wanted: "≤ 2 ×",
                reached: Figure.times(help / bare), isMet: help <= 2 * bare))
        report.targets.append(
            .init(
                what: "resumed session to its first screen, against making a URLSession", wanted: "≤ 2 ×",
                reached: Figure.times(resumed / session), isMet: resumed <= 2 * session))
    }

    /// Nobody listens on the discard port.
    static let nobody = "http://127.0.0.1:9"
}
