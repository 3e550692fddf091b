import Models
import Scenes
import TextUI

/// Message lines per second through sanitiser, column widths and wrapping.
struct Rendering: Benchmark {
    static let name = "rendering"

    private static let kinds: [(name: String, text: RemoteText)] = [
        ("ASCII", "See you at nine, bring the blue folder."),
        ("accents and Cyrillic", "Wir sehen uns um neun Uhr, bring die grüne Mappe — до завтра."),
        ("wide", "九時に会いましょう。青いフォルダーを持ってきてください。"),
        ("emoji families", "see you 👨‍👩‍👧‍👦 at nine 👍🏽 🇨🇭"),
        ("hostile", "\u{1B}[2J\u{202E}drow\u{202C}\u{7}\u{9B}31m and \u{200B}then"),
    ]

    func run(_ setting: Setting, _ report: inout Report) throws {
        var section = Report.Section(
            title: "Rendering",
            text: "One message to its line of 80 columns: sanitised, measured, wrapped; one thread.",
            columns: ["text", "lines/s"])
        var plain = 0.0
        for kind in Self.kinds {
            let rate = medianOf(setting.repeats) { Self.rate(of: kind.text) }
            if kind.name == "ASCII" { plain = rate }
            section.rows.append([kind.name, Figure.number(rate)])
        }
        report.sections.append(section)
        report.targets.append(
            .init(
                what: "message lines through sanitiser and width", wanted: "≥ 200,000/s",
                reached: "\(Figure.number(plain))/s", isMet: plain >= 200_000))
    }

    private static func rate(of text: RemoteText) -> Double {
        let row = Chatroom.Row.message(
            Chatroom.MessageRow(
                id: "$1", senderID: UserID("@alice:localhost"), senderName: "Alice", initials: "A", isOwn: false,
                timeText: "09:00", body: text))
        var count = 0
        let start = ContinuousClock.now
        while start.duration(to: .now) < .milliseconds(400) {
            for _ in 0..<1_000 { count += ChatroomRenderer.lines(of: row, width: 80).count }
        }
        return Double(count) / start.duration(to: .now).seconds
    }
}
