import Foundation
import Models

/// Reads `Retry-After`: seconds, or a date. RFC 9110, section 10.2.3.
enum RetryAfter {
    static func duration(_ value: String?, now: Timestamp) -> Duration? {
        guard let value = value?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(value) { return seconds < 0 ? nil : .seconds(min(seconds, 86_400)) }
        guard let date = timestamp(httpDate: value) else { return nil }
        return max(date - now, .zero)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; the two obsolete forms are not read.
    static func timestamp(httpDate text: String) -> Timestamp? {
        let pattern = #/[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT/#
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard let match = text.wholeMatch(of: pattern),
            let index = months.firstIndex(of: String(match.2))
        else { return nil }
        let month = index < 9 ? "0\(index + 1)" : "\(index + 1)"
        return Timestamp(iso8601: "\(match.3)-\(month)-\(match.1)T\(match.4)Z")
    }
}
