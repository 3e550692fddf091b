import Models

/// A way to know from outside that this client is at the newest of what its server knows.
extension ChatWorker {
    /// The account data that a fence is written to; each replaces the one before.
    static let fenceType = "org.words.fence"

    /// Returns once all that the server knew before the call has been applied and shown; at once where there is no
    /// connection that it could come through.
    ///
    /// It writes a nonce to the person's own account data and waits until that comes by in the sync. Of two at once by
    /// clients of the same person, one may wait in vain for what the other has replaced.
    ///
    /// - Returns: Whether it has asked the server.
    @discardableResult
    func fence() async -> Bool {
        guard let connection = connected, connection.sync.phase == .polling else { return false }
        let nonce = environment.identifiers.next(length: 16)
        let (passed, continuation) = AsyncStream<Void>.makeStream()
        connected?.fences[nonce] = continuation
        do {
            try await environment.activity.during("fence") { () async throws(ChatServiceError) in
                try await connection.service.setAccountData(Self.fenceType, to: ["nonce": .string(nonce)])
            }
        } catch {
            connected?.fences.removeValue(forKey: nonce)?.finish()
        }
        for await _ in passed {}
        return true
    }

    /// Lets all go on: nothing comes by any more.
    func dropFences() {
        connected?.fences.values.forEach { $0.finish() }
        connected?.fences = [:]
    }

    /// Lets those go on whose nonce stands in `batch`, which has been applied.
    func passFences(in batch: MatrixShapes.Sync) {
        for event in batch.account_data where event.type == Self.fenceType {
            guard let nonce = event.content["nonce"]?.string else { continue }
            connected?.fences.removeValue(forKey: nonce)?.finish()
        }
    }
}
