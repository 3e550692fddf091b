import Models

/// One scene's ear. Ends when cancelled or released.
final class Subscription: ChatSubscription {
    private let handle: @MainActor @Sendable (ChatUpdate) async -> Void
    private let isCancelled = Locked(false)

    init(_ handle: @escaping @MainActor @Sendable (ChatUpdate) async -> Void) { self.handle = handle }

    func cancel() { isCancelled.withLock { $0 = true } }

    @MainActor
    func deliver(_ update: ChatUpdate) async {
        guard !isCancelled.withLock({ $0 }) else { return }
        await handle(update)
    }
}

/// Delivers updates to all subscribers: one at a time, in order, each awaited, counted as activity until all is delivered.
///
/// An actor of its own, so that a subscriber may call back into whoever publishes, and subscribe or cancel, while it is
/// being told something.
actor ChatSubscriptions {
    private struct Entry { weak var subscription: Subscription? }

    private let activity: Activity
    private var entries: [Entry] = []
    private let queue = Locked<(updates: [ChatUpdate], isDelivering: Bool)>(([], false))

    init(activity: Activity) { self.activity = activity }

    func add(_ subscription: Subscription) {
        entries.removeAll { $0.subscription == nil }
        entries.append(Entry(subscription: subscription))
    }

    /// Puts `update` behind those not delivered yet, and returns at once.
    nonisolated func publish(_ update: ChatUpdate) {
        let mustStart = queue.withLock { queue in
            queue.updates.append(update)
            defer { queue.isDelivering = true }
            return !queue.isDelivering
        }
        if mustStart { activity.run("update") { await self.deliverAll() } }
    }

    /// Drops what has not been delivered.
    nonisolated func drop() { queue.withLock { $0.updates = [] } }

    private func deliverAll() async {
        while let update = next() {
            for entry in entries { await entry.subscription?.deliver(update) }
        }
    }

    private func next() -> ChatUpdate? {
        queue.withLock { queue in
            if queue.updates.isEmpty {
                queue.isDelivering = false
                return nil
            }
            return queue.updates.removeFirst()
        }
    }
}
