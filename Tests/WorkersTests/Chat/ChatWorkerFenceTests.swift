import Models
import Testing

@testable import Workers

@Suite("ChatWorker's fence")
struct ChatWorkerFenceTests {
    /// The nonce of the fence that the worker has written.
    private func nonce(_ client: ConnectedWorker) -> String? {
        client.service.actions.lazy.compactMap { call in
            if case .setAccountData(ChatWorker.fenceType, let content) = call { content["nonce"]?.string } else { nil }
        }.first
    }

    private func news(_ position: String, nonce: String) -> String {
        #"{"next_batch":"\#(position)","account_data":{"events":[{"type":"org.words.fence","content":{"nonce":"\#(nonce)"}}]}}"#
    }

    @Test("it lets go once its own nonce has come by, and not with another one")
    func passes() async throws {
        let client = try await ConnectedWorker()
        let passed = Locked(false)

        let fence = Task {
            await client.worker.fence()
            passed.withLock { $0 = true }
        }
        while nonce(client) == nil { await Task.yield() }
        try await client.news(news("s2", nonce: "another"))
        let early = passed.withLock { $0 }
        try await client.news(news("s3", nonce: nonce(client) ?? ""))
        await fence.value

        #expect(!early)
        #expect(passed.withLock { $0 })
    }

    @Test("it lets go when the session ends")
    func sessionEnd() async throws {
        let client = try await ConnectedWorker()

        let fence = Task { _ = await client.worker.fence() }
        while nonce(client) == nil { await Task.yield() }
        client.service.answer(.failure(.sessionEnded))
        await fence.value

        #expect(await client.worker.currentState()?.connection == .ended)
    }

    @Test("it lets go at once where there is no connection, and when the connection ends")
    func withoutConnection() async throws {
        let unconnected = await ConnectedWorker(unconnected: ())
        let client = try await ConnectedWorker()

        await unconnected.worker.fence()
        let fence = Task { _ = await client.worker.fence() }
        while nonce(client) == nil { await Task.yield() }
        await client.worker.disconnect()
        await fence.value

        #expect(unconnected.service.calls == [])
    }
}
