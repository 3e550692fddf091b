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
            (
                #"request> a POST login body="{\"type\":\"m.login.password\",\"password\":\"secret-one\"}"  status=403"#,
                #"request> a POST login body="{\"password\":\"<redacted>\",\"type\":\"m.login.password\"}"  status=403"#
            ),
            (
                #"request> a POST x body="{\"auth\":[{\"new_password\":{\"a\":\"b\"}}]}""#,
                #"request> a POST x body="{\"auth\":[{\"new_password\":\"<redacted>\"}]}""#
            ),
            (
                #"request> a POST x body="{\"password\":\"one\",\"\\u0070assword\":\"two\"}""#,
                #"request> a POST x body="{\"password\":\"<redacted>\"}""#
            ),
            ("request> a POST x body=\"{secret-one\" status=400", "request> a POST x body=<redacted> status=400"),
            (
                "request> a GET sync access_token=abc timeout=0 loginToken=\"d e\"",
                "request> a GET sync access_token=<redacted> timeout=0 loginToken=<redacted>"
            ),
            (
                #"request> a POST createRoom body="{ \"b\": 1, \"a\": [2] }" dir=b"#,
                #"request> a POST createRoom body="{ \"b\": 1, \"a\": [2] }" dir=b"#
            ),
        ])
    func redacts(_ line: String, _ printed: String) throws {
        #expect(try Scripts.parse(line).steps.map(\.redactedText) == [printed])
    }
}
