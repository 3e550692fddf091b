import Foundation
import Models
import Testing

@testable import Server

@Suite struct RouterTests {
    private struct Fault: Error {}

    private func request(_ method: String, _ path: String) -> HTTPRequest {
        let target = RequestTarget(path)
        return HTTPRequest(method: method, path: path, segments: target?.segments ?? [], query: target?.query ?? [])
    }

    private func answer(_ router: Router, _ method: String, _ path: String) async -> (Int, String) {
        let response = await router.respond(to: request(method, path))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    private func echo(_ names: String...) -> Router.Handler {
        { _, parameters in
            HTTPResponse(status: 200, body: Data(names.map { "\($0)=\(parameters[$0])" }.joined(separator: " ").utf8))
        }
    }

    @Test("parts in braces stand for any one part")
    func parameters() async {
        var router = Router()
        router.add("PUT", "/rooms/{room}/send/{type}/{id}", echo("room", "type", "id"))

        let found = await answer(router, "PUT", "/rooms/!a%3Ab/send/m.text/7")
        let tooShort = await answer(router, "PUT", "/rooms/!a%3Ab/send/m.text")

        #expect(found == (200, "room=!a:b type=m.text id=7"))
        #expect(tooShort.0 == 404)
    }

    @Test("a literal part wins over one in braces, which is tried where the literal leads nowhere")
    func precedence() async {
        var router = Router()
        router.add("GET", "/a/me", { _, _ in HTTPResponse(status: 201) })
        router.add("GET", "/a/{id}", echo("id"))
        router.add("GET", "/a/{id}/more", echo("id"))

        #expect(await answer(router, "GET", "/a/me").0 == 201)
        #expect(await answer(router, "GET", "/a/you") == (200, "id=you"))
        #expect(await answer(router, "GET", "/a/me/more") == (200, "id=me"))
    }

    @Test("HEAD finds what GET finds")
    func head() async {
        var router = Router()
        router.add("GET", "/a", { _, _ in .noContent })

        #expect(await answer(router, "HEAD", "/a").0 == 204)
    }

    @Test("a wrong method is answered 405 with those that there are")
    func wrongMethod() async {
        var router = Router()
        router.add("PUT", "/a", { _, _ in .noContent })
        router.add("GET", "/a", { _, _ in .noContent })

        let response = await router.respond(to: request("POST", "/a"))

        #expect(response.status == 405)
        #expect(response.headers.contains { $0 == ("Allow", "GET, PUT") })
    }

    @Test("failures have the form of the API that the path belongs to")
    func failures() async {
        let router = Router()

        let matrix = await answer(router, "GET", "/_matrix/client/v3/nothing")
        let words = await answer(router, "GET", "/api/nothing")

        #expect(matrix.0 == 404)
        #expect(matrix.1.contains("\"errcode\":\"M_UNRECOGNIZED\""))
        #expect(words == (404, "{\"message\":\"There is nothing at this address.\"}"))
    }

    @Test("a thrown error answers for itself, and any other is 500 without a word of what it was")
    func errors() async {
        var router = Router()
        router.add("GET", "/known", { _, _ in throw MatrixError.forbidden("No.") })
        router.add("GET", "/unknown", { _, _ in throw Fault() })

        let known = await answer(router, "GET", "/known")
        let unknown = await answer(router, "GET", "/unknown")

        #expect(known == (403, "{\"errcode\":\"M_FORBIDDEN\",\"error\":\"No.\"}"))
        #expect(unknown.0 == 500)
        #expect(!unknown.1.contains("Fault"))
    }

    @Test("a fault of the database says what happened and what to do")
    func databaseFault() async {
        var router = Router()
        router.add("GET", "/full", { _, _ in throw DatabaseError.diskFull })
        router.add("GET", "/closed", { _, _ in throw DatabaseError.closed })

        let full = await answer(router, "GET", "/full")
        let closed = await answer(router, "GET", "/closed")

        #expect(
            full == (500, "{\"message\":\"The disk is full. Nothing was stored. Make room and try again.\"}"))
        #expect(closed == (503, "{\"message\":\"The server is stopping.\"}"))
    }

    @Test("a Matrix route is found under r0 and v3")
    func versions() async {
        var router = Router()
        router.addMatrix("GET", "/x/{id}", echo("id"))

        #expect(await answer(router, "GET", "/_matrix/client/r0/x/1") == (200, "id=1"))
        #expect(await answer(router, "GET", "/_matrix/client/v3/x/1") == (200, "id=1"))
        #expect(await answer(router, "GET", "/_matrix/client/v9/x/1").0 == 404)
    }
}
