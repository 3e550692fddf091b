import Testing

@testable import SceneScript

@Suite("DurationText")
struct DurationTextTests {
    @Test(
        "reads numbers with units, one or several",
        arguments: [
            ("0s", Duration.zero), ("500ms", .milliseconds(500)), ("31s", .seconds(31)), ("2m", .seconds(120)),
            ("1h30m", .seconds(5_400)), ("1d", .seconds(86_400)),
        ])
    func reads(_ text: String, _ duration: Duration) { #expect(DurationText.duration(text) == duration) }

    @Test(
        "refuses what is none, or longer than a century",
        arguments: [
            "", "5", "s", "-5s", "5 s", "1.5s", "5x", "٣s", "99999999999999999999s", "36526d", "9223372036854775807d",
        ])
    func refuses(_ text: String) { #expect(DurationText.duration(text) == nil) }

    @Test("writes the greatest unit in which it is whole")
    func writes() {
        #expect(DurationText.text(.milliseconds(1_500)) == "1500ms")
        #expect(DurationText.text(.seconds(5)) == "5s")
        #expect(DurationText.text(.seconds(7_200)) == "2h")
        #expect(DurationText.text(.zero) == "0ms")
    }
}
