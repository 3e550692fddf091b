import Foundation

/// All that one run has found, as a document.
struct Report {
    /// A table of its own.
    struct Section {
        var title: String
        /// What was measured and how, above the table.
        var text: String
        var columns: [String]
        var rows: [[String]] = []
    }

    /// What is to be reached, and what was.
    struct Target {
        var what: String
        var wanted: String
        var reached: String
        var isMet: Bool
        /// Why it falls short, as far as the run can tell.
        var blame = ""
    }

    /// What `times` as much of something takes, in terms of the smaller amount.
    struct Growth {
        var what: String
        var from: String
        var times: Double
        var taken: Double
    }

    var sections: [Section] = []
    var growths: [Growth] = []
    var targets: [Target] = []
    /// What could not be measured, and why.
    var gaps: [String] = []

    func markdown(of machine: String) -> String {
        var lines = [
            "# Speed and memory", "",
            "Written by `make bench`. Figures of one machine say little; the ratios, taken in one run, say more.",
            "Every figure is the median of the repeats. \(machine)", "", "## What is to be reached", "",
        ]
        lines += Self.table(
            ["what", "to reach", "reached", ""],
            targets.map { [$0.what, $0.wanted, $0.reached, $0.isMet ? "met" : "**short** \($0.blame)"] })
        if !growths.isEmpty {
            lines += ["", "## How it grows", ""]
            lines += Self.table(
                ["what", "from", "so many times the size", "takes"],
                growths.map { [$0.what, $0.from, Figure.times($0.times), Figure.times($0.taken)] })
        }
        for section in sections {
            lines += ["", "## \(section.title)", "", section.text, ""] + Self.table(section.columns, section.rows)
        }
        if !gaps.isEmpty { lines += ["", "## Not measured in this run", ""] + gaps.map { "- \($0)" } }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func table(_ columns: [String], _ rows: [[String]]) -> [String] {
        func line(_ cells: [String]) -> String {
            "| " + cells.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " | ") + " |"
        }
        return [line(columns), "|" + String(repeating: " --- |", count: columns.count)] + rows.map(line)
    }
}

/// Figures as people read them.
enum Figure {
    /// Three digits that matter.
    static func number(_ value: Double) -> String {
        switch abs(value) {
        case 100...: fixed(value, 0)
        case 10..<100: fixed(value, 1)
        default: fixed(value, 2)
        }
    }

    static func times(_ value: Double) -> String { number(value) + " ×" }
    static func milliseconds(_ value: Double) -> String { number(value) + " ms" }
    static func mebibytes(_ bytes: Int) -> String { number(Double(bytes) / 1_048_576) + " MiB" }

    private static func fixed(_ value: Double, _ digits: Int) -> String {
        value.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US")))
    }
}
