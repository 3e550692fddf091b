import Foundation
import Models
import Server
import Testing

@testable import words

@Suite("EmbeddedEndpoint")
struct EmbeddedEndpointIntegrationTests {
    /// A data folder, and endpoints on it as different processes would have them.
    private final class Fixture: Sendable {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
        let faults = Locked<[ServerError]>([])

        deinit { try? FileManager.default.removeItem(at: folder) }

        func endpoint(port: UInt16 = 0) -> EmbeddedEndpoint {
            var configuration = ServerConfiguration(dataDirectory: folder)
            configuration.port = port
            configuration.passwordCost = .low
            return EmbeddedEndpoint(configuration: configuration, environment: .live()) { [faults] error in
                faults.withLock { $0.append(error) }
            }
        }
    }

    @Test("who comes first serves, all others use it, and no one asks for anything else")
    func firstServes() async throws {
        let fixture = Fixture()
        let (first, second) = (fixture.endpoint(), fixture.endpoint())

        let url = try await first.baseURL()

        #expect(try await second.baseURL() == url)
        #expect(await first.isServing)
        #expect(await !second.isServing)
        #expect(first.identity == second.identity)
        await first.close()
        await second.close()
    }

    @Test("when the one that serves ends, one of the others takes over and the rest follow")
    func takeOver() async throws {
        let fixture = Fixture()
        let (first, second, third) = (fixture.endpoint(), fixture.endpoint(), fixture.endpoint())
        _ = try await first.baseURL()

        await first.close()
        async let secondURL = second.baseURL()
        async let thirdURL = third.baseURL()
        let (left, right) = try await (secondURL, thirdURL)

        #expect(left == right)
        let areServing = await [second.isServing, third.isServing]
        #expect(areServing.count { $0 } == 1)
        await second.close()
        await third.close()
    }

    @Test("many requests at once start one server")
    func oneServer() async throws {
        let endpoint = Fixture().endpoint()

        let urls = try await withThrowingTaskGroup(of: URL.self) { group in
            for _ in 0..<20 { group.addTask { try await endpoint.baseURL() } }
            return try await group.reduce(into: Set<URL>()) { $0.insert($1) }
        }

        #expect(urls.count == 1)
        await endpoint.close()
    }

    @Test("where the port is taken any free one is used")
    func portTaken() async throws {
        let (first, second) = (Fixture(), Fixture())
        let holder = first.endpoint()
        let url = try await holder.baseURL()
        let port = try #require(url.port.map(UInt16.init))
        let endpoint = second.endpoint(port: port)

        let other = try await endpoint.baseURL()

        #expect(other.port != Int(port))
        await endpoint.close()
        await holder.close()
    }

    @Test("an address that a dead process left is not used")
    func staleAddress() async throws {
        let fixture = Fixture()
        let first = fixture.endpoint()
        _ = try await first.baseURL()
        let file = fixture.folder.appendingPathComponent("endpoint")
        let left = try Data(contentsOf: file)
        await first.close()
        try left.write(to: file)

        let second = fixture.endpoint()
        _ = try await second.baseURL()

        #expect(await second.isServing)
        await second.close()
    }

    @Test("a folder that cannot be used is unreachable, and the reason is told")
    func unusableFolder() async throws {
        let fixture = Fixture()
        try Data().write(to: fixture.folder)

        await #expect(throws: NetworkFault.unreachable) { try await fixture.endpoint().baseURL() }

        let faults = fixture.faults.withLock { $0 }
        #expect(faults.count == 1)
        guard case .folder = faults.first else {
            Issue.record("\(faults)")
            return
        }
    }

    @Test("once closed it starts no server any more")
    func closed() async throws {
        let fixture = Fixture()
        let endpoint = fixture.endpoint()
        _ = try await endpoint.baseURL()

        await endpoint.close()

        await #expect(throws: NetworkFault.unreachable) { try await endpoint.baseURL() }
        #expect(DataFolder.liveEndpoint(in: fixture.folder) == nil)
    }
}
