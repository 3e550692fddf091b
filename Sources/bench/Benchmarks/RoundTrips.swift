import Foundation

/// What the client adds to a request.
struct RoundTrips: Benchmark {
    static let name = "round-trips"

    func run(_ setting: Setting, _ report: inout Report) throws {
        let server = try ServerProcess.words()
        defer { server.stop() }
        let folder = try ServerProcess.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func measure(_ kind: String) throws -> Double {
            try medianOf(setting.repeats) {
                let run = try ChildRun.measure(
                    [Executables.own, Child.roundTrips.rawValue, folder.path, server.url, "500", kind])
                guard let value = Double(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                    throw BenchError("no round trips were made")
                }
                return value
            }
        }
        let (bare, own) = (try measure("bare"), try measure("transport"))
        report.sections.append(
            Report.Section(
                title: "One request of the client",
                text: "One after the other, over one connection: URLSession alone, and through the client's transport.",
                columns: ["", "each", "against URLSession alone"],
                rows: [
                    ["URLSession alone", Figure.milliseconds(bare), ""],
                    ["the client's transport", Figure.milliseconds(own), Figure.times(own / bare)],
                ]))
    }
}
