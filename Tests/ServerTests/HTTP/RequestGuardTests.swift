import Foundation
import Testing

@testable import Server

@Suite struct RequestGuardTests {
    private let gate = RequestGuard(
        allowedHosts: ["words.example"], allowedOrigins: ["https://app.example"], limits: HTTPLimits())

    private func status(
        _ headers: HTTPHeaders, method: String = "GET", target: String = "/api/user"
    ) -> Int? {
        switch gate.verdict(method: method, target: target, headers: headers) {
        case .admitted: nil
        case .answered(let response): response.status
        }
    }

    @Test(
        "a loopback or configured Host is let in, with any port",
        arguments: [
            "127.0.0.1:8000", "127.0.0.1", "localhost", "LOCALHOST:1", "[::1]:8000", "127.1.2.3", "words.example",
            "Words.Example:443",
        ])
    func admittedHost(host: String) {
        #expect(status(["Host": host]) == nil)
    }

    @Test(
        "any other Host is refused with 421",
        arguments: [
            "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:127", "10.0.0.1",
            "127.0.0",
            "127.0.0.1000", "", "::1", "[::2]", "words.example.evil", "[::1].evil.example", "[::1]evil:80", "[::1]\"",
            "localhost:80@evil", "127.0.0.1:80.evil.example", "words.example:\"",
        ])
    func foreignHost(host: String) {
        #expect(status(["Host": host]) == 421)
    }

    @Test("a request without a Host, or with two, is refused with 400")
    func missingHost() {
        #expect(status([:]) == 400)
        #expect(status(["Host": "localhost", "HOST": "evil.example"]) == 400)
    }

    @Test("an Origin that is not allowed is refused with 403, whatever the method")
    func foreignOrigin() {
        #expect(status(["Host": "localhost", "Origin": "https://evil.example"]) == 403)
        #expect(status(["Host": "localhost", "Origin": "null"]) == 403)
        #expect(status(["Host": "localhost", "Origin": "https://evil.example"], method: "OPTIONS") == 403)
        #expect(status(["Host": "localhost", "Origin": "https://app.example"]) == nil)
    }

    @Test("only an allowed Origin gets the headers that let its page read the answer")
    func crossOriginHeaders() {
        let allowed = gate.crossOriginHeaders(["Origin": "https://app.example"]).map(\.0)

        #expect(
            allowed == [
                "Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Vary",
            ])
        #expect(gate.crossOriginHeaders(["Origin": "https://evil.example"]).isEmpty)
        #expect(gate.crossOriginHeaders([:]).isEmpty)
    }

    @Test("with all origins allowed the answer says so")
    func anyOrigin() {
        let open = RequestGuard(allowedHosts: [], allowedOrigins: ["*"], limits: HTTPLimits())

        let headers = open.crossOriginHeaders(["Origin": "https://anything.example"])

        #expect(headers.first { $0.0 == "Access-Control-Allow-Origin" }?.1 == "*")
    }

    @Test("OPTIONS is answered 204 without a look at the path")
    func options() {
        #expect(status(["Host": "localhost"], method: "OPTIONS", target: "/nowhere") == 204)
    }

    @Test("what leaves it open where the body ends is refused with 400")
    func framing() {
        #expect(status(["Host": "localhost", "Content-Length": "1", "content-length": "1"]) == 400)
        #expect(status(["Host": "localhost", "Content-Length": "1", "Transfer-Encoding": "chunked"]) == 400)
        #expect(status(["Host": "localhost", "Content-Length": "+1"]) == 400)
        #expect(status(["Host": "localhost", "Content-Length": "1,1"]) == 400)
        #expect(status(["Host": "localhost", "Transfer-Encoding": "gzip, chunked"]) == 400)
        #expect(status(["Host": "localhost", "Transfer-Encoding": "chunked", "transfer-encoding": "chunked"]) == 400)
        #expect(status(["Host": "localhost", "Transfer-Encoding": "Chunked"]) == nil)
    }

    @Test("a declared body past the limit of its API is refused with 413")
    func bodyLimit() {
        #expect(status(["Host": "localhost", "Content-Length": "65536"]) == nil)
        #expect(status(["Host": "localhost", "Content-Length": "65537"]) == 413)
        #expect(status(["Host": "localhost", "Content-Length": "65537"], target: "/_matrix/client/v3/login") == nil)
        #expect(status(["Host": "localhost", "Content-Length": "131073"], target: "/_matrix/client/v3/login") == 413)
    }

    @Test("a refusal has the form of the API that the path belongs to")
    func form() throws {
        guard
            case .answered(let matrix) = gate.verdict(
                method: "GET", target: "/_matrix/client/versions", headers: ["Host": "evil.example"]),
            case .answered(let words) = gate.verdict(
                method: "GET", target: "/_matrixx", headers: ["Host": "evil.example"])
        else {
            Issue.record("both should have been refused")
            return
        }

        #expect(String(decoding: matrix.body, as: UTF8.self).contains("\"errcode\":\"M_UNRECOGNIZED\""))
        #expect(String(decoding: words.body, as: UTF8.self).hasPrefix("{\"message\":"))
    }
}
