import Foundation
import Models
import Testing

@testable import Server

/// The operations that `make test-clients` tries by the specification's description are those that are served.
@Suite struct SpecifiedRoutesIntegrationTests {
    private static let matrix = "/_matrix/"

    /// Routes that the description does not have, and why they are there.
    private static let unspecified: [String: String] = [
        "GET /_matrix/client/v3/rooms/{}/state/{}": "an empty state key may be left out",
        "PUT /_matrix/client/v3/rooms/{}/state/{}": "an empty state key may be left out",
    ]

    @Test("each route of the Matrix API is described by the specification, and each described operation has a route")
    func described() async throws {
        let served = try Set(Self.served().filter { !$0.contains(" /_matrix/client/r0/") })
        let described = try Self.described()

        #expect(served.subtracting(described).subtracting(Self.unspecified.keys).sorted() == [])
        #expect(described.subtracting(served).sorted() == [])
        #expect(Set(Self.unspecified.keys).subtracting(served).sorted() == [])
        #expect(Set(Self.unspecified.keys).intersection(described).sorted() == [])
    }

    @Test("what is served as v3 is served as r0 as well, where old clients look for it")
    func oldNames() async throws {
        let served = try Self.served()
        let old = Set(served.filter { $0.contains("/client/r0/") })

        let expected = served.filter { $0.contains("/client/v3/") }
            .map { $0.replacingOccurrences(of: "/client/v3/", with: "/client/r0/") }

        #expect(old == Set(expected))
    }

    /// Method and path of all routes of the Matrix API, with `{}` for each part in braces.
    private static func served() throws -> Set<String> {
        let folder = TemporaryFolder()
        let configuration = ServerConfiguration(dataDirectory: folder.url, passwordCost: .low)
        let server = try EmbeddedServer(
            configuration: configuration, environment: .virtual(clock: VirtualClock(now: Timestamp(milliseconds: 0))))
        let routes = server.router.table.filter {
            $0.pattern.hasPrefix(matrix) && !$0.pattern.hasPrefix("/_matrix/media/r0/")
                || $0.pattern.hasPrefix("/.well-known/matrix/")
        }
        return Set(routes.map { name($0.method, $0.pattern) })
    }

    private static func described() throws -> Set<String> {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appending(path: "Interoperability/matrix-operations.json")
        let description = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
        var names: Set<String> = []
        for (path, operations) in description["paths"]?.object ?? [:] {
            for method in operations.object?.keys ?? [:].keys { names.insert(name(method, path)) }
        }
        return names
    }

    private static func name(_ method: String, _ pattern: String) -> String {
        let parts = pattern.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }
        return "\(method.uppercased()) /\(parts.joined(separator: "/"))"
    }
}
