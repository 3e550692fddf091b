import Foundation
import Models

/// Hearing of news.
extension ChatRoutes {
    /// By this header an in-process client says how the activity knows its poll.
    static let pollHeader = "X-Words-Poll"

    func addSync(to router: inout Router) {
        router.addMatrix("GET", "/sync") { request, path in
            let doubts = chat.waitingRoom.doubts
            let who = try await authenticator.matrixUser(request)
            let call = Call(request: request, path: path, who: who, now: chat.environment.clock.now)
            return try await Self.answering { try await sync(call, doubts) }
        }
    }

    private func sync(_ call: Call, _ doubts: Int) async throws -> HTTPResponse {
        let request = call.request
        var sync = SyncRequest(user: call.user, device: call.who.deviceID)
        sync.since = try token(call, "since")
        sync.timeout = .milliseconds(try call.number("timeout", default: 0, in: 0...86_400_000))
        sync.fullState = try request.flag("full_state")
        sync.pollID = request.headers[Self.pollHeader]
        sync.cause = request.cause
        if let text = request.query("set_presence"), !text.isEmpty {
            guard let state = Presence.State(rawValue: text) else {
                throw MatrixError.invalidParameter("set_presence is one of online, unavailable and offline.")
            }
            sync.setPresence = state
        }
        sync.filter = try await chat.filter(request.query("filter"), of: call.user)
        let body = try await chat.sync(sync, doubts: doubts) {
            let doubts = chat.waitingRoom.doubts
            _ = try await authenticator.matrixUser(request)
            return doubts
        }
        return .json(200, data: Data(body))
    }
}
