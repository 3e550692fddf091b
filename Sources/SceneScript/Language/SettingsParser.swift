import Foundation
import Models
import TextUI
import Workers

/// Reads `set` lines; each key at most once in all of a script's files.
struct SettingsParser {
    private(set) var settings = SceneSettings()
    private var places: [String: SourceLocation] = [:]

    mutating func read(_ words: [SceneWord], at location: SourceLocation) throws(ScriptError) {
        guard !words.isEmpty else { throw ScriptError(location, "`set` needs key=value. \(Self.keys)") }
        for word in words {
            let place = SourceLocation(file: location.file, line: location.line, column: word.column)
            guard let key = word.key else { throw ScriptError(place, "`set` takes key=value only. \(Self.keys)") }
            if let earlier = places.updateValue(place, forKey: key) {
                throw ScriptError(place, "\(key)= has been set already, at \(earlier).")
            }
            try set(key, word.value, at: place)
        }
    }

    private static let keys = "The keys are clock, zone, width, deadline and server."

    private mutating func set(_ key: String, _ value: String, at place: SourceLocation) throws(ScriptError) {
        switch key {
        case "clock":
            guard let time = Timestamp(iso8601: value) else {
                throw ScriptError(place, "clock= takes a time in UTC, as in 2026-01-05T09:00:00Z.")
            }
            settings.clock = time
        case "zone":
            guard TimeZone(identifier: value) != nil else {
                throw ScriptError(place, "This machine knows no zone of that name. Write one as in UTC or Europe/Rome.")
            }
            settings.zone = value
        case "width":
            guard let width = Int(value), (20...1_000).contains(width) else {
                throw ScriptError(place, "width= takes a number of columns from 20 to 1000.")
            }
            settings.width = width
        case "deadline":
            guard let deadline = DurationText.duration(value), deadline > .zero else {
                throw ScriptError(place, "deadline= takes a duration, as in 500ms or 5s.")
            }
            settings.deadline = deadline
        case "server": settings.server = try server(value, at: place)
        default: throw ScriptError(place, "There is no setting \(key)=. \(Self.keys)")
        }
    }

    private func server(_ value: String, at place: SourceLocation) throws(ScriptError) -> SceneSettings.Server {
        if value == "embedded" { return .embedded }
        guard (try? ServerAddress(value)) != nil else {
            throw ScriptError(place, "server= takes `embedded`, a name or a URL, as in http://127.0.0.1:8000.")
        }
        return .at(value)
    }
}
