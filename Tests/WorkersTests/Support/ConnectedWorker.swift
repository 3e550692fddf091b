import Foundation
import Models

@testable import Workers

/// A chat worker over a stubbed service, in virtual time, with a subscriber that keeps all updates.
struct ConnectedWorker {
    let worker: ChatWorker
    let service: StubChatService
    let clock: VirtualClock
    let activity: Activity
    let heard: Heard
    let subscription: any ChatSubscription

    @MainActor
    final class Heard {
        nonisolated init() {}

        var updates: [ChatUpdate] = []
    }

    /// Connected, with the first batch applied; by default one room with one message of Bob's.
    init(
        first: String? = nil, options: ClientOptions = ClientOptions(polls: .counted),
        facts: ServerFacts = ServerFacts()
    ) async throws {
        try await self.init(connecting: first ?? batch("s1", timeline: [event("$1", "hi")]), options, facts)
    }

    private init(connecting first: String, _ options: ClientOptions, _ facts: ServerFacts) async throws {
        self = await ConnectedWorker(unconnected: (), options: options, facts: facts)
        try service.answer(first)
        await worker.connect(session())
        await activity.idle()
    }

    init(
        unconnected: Void, options: ClientOptions = ClientOptions(polls: .counted), facts: ServerFacts = ServerFacts()
    ) async {
        let clock = VirtualClock(now: start)
        let activity = Activity()
        let service = StubChatService(activity)
        let heard = Heard()
        let worker = ChatWorker(
            environment: .virtual(clock: clock, activity: activity), options: options, facts: facts
        ) { _ in service }
        self.worker = worker
        self.service = service
        self.clock = clock
        self.activity = activity
        self.heard = heard
        subscription = await worker.subscribe { heard.updates.append($0) }
    }

    var room: RoomState? {
        get async { await worker.currentState()?.rooms[lobby] }
    }

    var bodies: [String] {
        get async {
            (await room?.timeline.items ?? []).map { item in
                switch item.content {
                case .message(let message): message.body.unsanitised
                case .gap: "gap"
                default: "?"
                }
            }
        }
    }

    var outgoing: [OutgoingMessage.State] {
        get async { (await room?.timeline.outgoing ?? []).map(\.state) }
    }

    func news(_ json: String) async throws {
        try service.answer(json)
        await activity.idle()
    }

    func advance(_ duration: Duration) async { await clock.advance(by: duration) { await activity.idle() } }

    var transactions: [TransactionID] {
        service.calls.compactMap { if case .send(let id, _) = $0 { id } else { nil } }
    }
}
