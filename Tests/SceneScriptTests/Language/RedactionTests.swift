import Testing

@testable import SceneScript

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "passwords are taken out of a line that is printed, and nothing else",
        arguments: [
            (
                "a> login email=a@b password=secret-one  as=$x",
                "a> login email=a@b password=<redacted>  as=$x"
            ),
            (
                "a> login password=\"two words\" email=a@b",
                "a> login password=<redacted> email=a@b"
            ),
            ("a>  passwd current=\"é 1\" new=zwei", "a>  passwd current=<redacted> new=<redacted>"),
            ("a> send \"password=x\"", "a> send \"password=x\""),
            ("a> help", "a> help"),
            ("a? message \"password=x\"", "a? message \"password=x\""),
        ])
    func redacts(_ line: String, _ printed: String) throws {
        #expect(try Scripts.parse(line).steps.map(\.redactedText) == [printed])
    }
}
