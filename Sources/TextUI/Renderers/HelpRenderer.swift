import Scenes

/// The commands of a scene, or one command explained.
enum HelpRenderer {
    static func lines(about name: String?, in scene: SceneName, width: Int) -> [SafeLine] {
        guard let name else { return list(in: scene, width: width) }
        guard let description = CommandCatalogue[name] else {
            let unknown: SafeLine = "There is no command \(name). Type help for the commands."
            return NoticeRenderer.hanging("! ", SafeText(lines: [unknown]), width: width)
        }
        return pair("\(description.usage)", "\(description.help)", column: 0, width: width)
    }

    private static func list(in scene: SceneName, width: Int) -> [SafeLine] {
        let commands = CommandCatalogue.commands(in: scene)
        let usages = commands.map { Sanitiser.line($0.usage) }
        let widest = usages.map(\.width).max() ?? 0
        let column = widest + 4 + 20 <= width ? widest + 4 : 0
        return zip(commands, usages).reduce(into: ["Commands"]) { lines, entry in
            lines += pair(entry.1, "\(entry.0.help)", column: column, width: width)
        }
    }

    /// What to type and what it does: beside each other from `column`, or below each other where that is 0.
    private static func pair(_ usage: SafeLine, _ help: SafeLine, column: Int, width: Int) -> [SafeLine] {
        guard column > 0 else {
            return NoticeRenderer.hanging("  ", SafeText(lines: [usage]), width: width)
                + NoticeRenderer.hanging("      ", SafeText(lines: [help]), width: width)
        }
        let prefix = ("  " + usage).padded(to: column)
        return NoticeRenderer.hanging(prefix, SafeText(lines: [help]), width: width)
    }
}
