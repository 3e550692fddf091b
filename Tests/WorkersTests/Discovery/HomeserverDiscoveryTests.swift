import Foundation
import Models
import Testing

@testable import Workers

private let matrix = #"{"versions":["v1.1","v1.11"],"unstable_features":{"org.words.api":false}}"#
private let words = #"{"versions":["v1.10"],"unstable_features":{"org.words.api":true}}"#

/// Answers by address; everything else is a 404 without a word.
private func web(_ pages: [String: TransportResponse]) -> StubTransport {
    StubTransport { request, _ in .success(pages[request.url.absoluteString] ?? TransportResponse(status: 404)) }
}

private func document(_ base: String) -> TransportResponse { .json(200, #"{"m.homeserver":{"base_url":"\#(base)"}}"#) }

@Suite("HomeserverDiscovery")
struct HomeserverDiscoveryTests {
    private func find(_ text: String, _ transport: StubTransport) async throws -> HomeserverDiscovery.Found {
        try await HomeserverDiscovery(transport: transport).find(try ServerAddress(text))
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("an address is taken as it is, with its path, and the server says of what kind it is")
    func address() async throws {
        let transport = web([
            "https://one.example/_matrix/client/versions": .json(200, matrix),
            "https://two.example/chat/_matrix/client/versions": .json(200, words),
        ])

        let one = try await find("https://one.example", transport)
        let two = try await find("https://two.example/chat/", transport)

        #expect(one == .init(url: try url("https://one.example"), kind: .matrix, isDelegated: false))
        #expect(two == .init(url: try url("https://two.example/chat/"), kind: .words, isDelegated: false))
        #expect(transport.calls.count == 2)
        #expect(transport.calls.allSatisfy { $0.authorization == nil && $0.operation == .discovery })
    }

    @Test("a name's host says where the server is, also after redirects")
    func wellKnown() async throws {
        let transport = web([
            "https://one.example/.well-known/matrix/client": TransportResponse(
                status: 301, headers: [("Location", "https://www.one.example/where")]),
            "https://www.one.example/where": document("https://chat.one.example/base/"),
            "https://chat.one.example/base/_matrix/client/versions": .json(200, matrix),
        ])

        let found = try await find("one.example", transport)

        #expect(found == .init(url: try url("https://chat.one.example/base/"), kind: .matrix, isDelegated: true))
    }

    @Test("a name without a document is the server's own")
    func noDocument() async throws {
        let transport = web(["https://one.example/_matrix/client/versions": .json(200, matrix)])

        #expect(try await find("one.example", transport).url == (try url("https://one.example")))
    }

    @Test("where no server answers at an address, its host's document is asked")
    func fallback() async throws {
        let transport = web([
            "https://one.example/.well-known/matrix/client": document("https://chat.one.example"),
            "https://chat.one.example/_matrix/client/versions": .json(200, matrix),
        ])

        #expect(try await find("https://one.example", transport).isDelegated)
    }

    @Test(
        "nobody is led to plain http, or to what is no address",
        arguments: ["http://chat.one.example", "ftp://chat.one.example", "nonsense", "", "https://me@chat.one.example"])
    func unfit(_ base: String) async throws {
        let transport = web([
            "https://one.example/.well-known/matrix/client": document(base),
            "http://chat.one.example/_matrix/client/versions": .json(200, matrix),
        ])

        await #expect { try await find("one.example", transport) } throws: { error in
            guard case .noChatServer? = error as? NetworkFault else { return false }
            return true
        }
        #expect(transport.calls.count == 1)
    }

    @Test(
        "what answers and is no chat server is told as that",
        arguments: ["<html>", "{}", #"{"versions":[]}"#, #"{"versions":["x9"]}"#, #"{"versions":1}"#])
    func notChat(_ body: String) async throws {
        let transport = web(["https://one.example/base/_matrix/client/versions": .json(200, body)])

        await #expect(
            throws: NetworkFault.noChatServer("https://one.example/base answers, but not as a chat server does")
        ) { try await find("https://one.example/base", transport) }
    }

    @Test("a fault of the server or the network is no verdict on what it is", arguments: [429, 500, 502])
    func faults(_ status: Int) async throws {
        let transport = web(["https://one.example/_matrix/client/versions": TransportResponse(status: status)])
        let dead = StubTransport { _, _ in .failure(.unreachable) }

        await #expect(throws: NetworkFault.serverFault(status: status)) {
            try await find("https://one.example", transport)
        }
        await #expect(throws: NetworkFault.unreachable) { try await find("one.example", dead) }
    }
}

@Suite("HomeserverEndpoint")
struct HomeserverEndpointTests {
    @Test("what was found is kept; what failed is tried again")
    func keeps() async throws {
        let isUp = Locked(false)
        let transport = StubTransport { _, _ in
            isUp.withLock { $0 } ? .success(.json(200, matrix)) : .failure(.timedOut)
        }
        let endpoint = HomeserverEndpoint(try ServerAddress("https://one.example"), transport: transport)

        await #expect(throws: NetworkFault.timedOut) { try await endpoint.kind() }
        isUp.withLock { $0 = true }
        let kind = try await endpoint.kind()
        let base = try await endpoint.baseURL()
        await endpoint.lost(base)
        _ = try await endpoint.baseURL()

        #expect(kind == .matrix)
        #expect(endpoint.identity == "https://one.example")
        #expect(transport.calls.count == 2)
    }

    @Test("where a document had said, it is asked again once nobody is there")
    func moves() async throws {
        let place = Locked("https://a.example")
        let transport = StubTransport { request, _ in
            request.url.path.hasPrefix("/.well-known")
                ? .success(document(place.withLock { $0 })) : .success(.json(200, matrix))
        }
        let endpoint = HomeserverEndpoint(try ServerAddress("one.example"), transport: transport)

        let first = try await endpoint.baseURL()
        place.withLock { $0 = "https://b.example" }
        await endpoint.lost(first)
        let second = try await endpoint.baseURL()

        #expect([first, second].map(\.absoluteString) == ["https://a.example", "https://b.example"])
    }

    @Test("it goes where the server asks to be reached, where one of the same kind answers, and not down to plain http")
    func asked() async throws {
        let transport = web([
            "https://one.example/_matrix/client/versions": .json(200, matrix),
            "https://two.example/chat/_matrix/client/versions": .json(200, matrix),
            "https://ours.example/_matrix/client/versions": .json(200, words),
            "http://plain.example/_matrix/client/versions": .json(200, matrix),
        ])
        let endpoint = HomeserverEndpoint(try ServerAddress("https://one.example"), transport: transport)
        _ = try await endpoint.baseURL()

        for wrong in ["https://ours.example", "http://plain.example", "https://gone.example", "no address", ""] {
            await endpoint.isToMove(to: wrong)
            #expect(try await endpoint.baseURL().absoluteString == "https://one.example", "\(wrong)")
        }
        await endpoint.isToMove(to: "https://two.example/chat/")

        #expect(try await endpoint.baseURL().absoluteString == "https://two.example/chat/")
        #expect(endpoint.identity == "https://one.example")
    }
}
