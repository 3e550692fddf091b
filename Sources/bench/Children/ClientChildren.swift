import Foundation
import Models
import Workers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Words' client, as whoever measures it from outside sees it.
enum ClientChildren {
    /// From nothing to all rooms applied and stored, then the number of rooms.
    static func firstSync(home: URL, url: String, user: String, token: String) async throws {
        guard let base = URL(string: url) else { throw BenchError("\(url) is no URL") }
        try await saveSession(home: home, url: base, user: user, token: token)
        let client = ClientAssembly.make(endpoint: FixedEndpoint(base, kind: .matrix), home: home, environment: .live())
        switch await client.users.resume() {
        case .valid(let session), .offline(let session, _): await client.chat.connect(session)
        case let other: throw BenchError("no session: \(other)")
        }
        let state = await client.chat.currentState()
        await client.chat.disconnect()
        guard let state, state.hasSynced else {
            throw BenchError("no first sync: \(String(describing: state?.connection))")
        }
        print("\(state.rooms.count) rooms")
    }

    /// A session as a login leaves it, so that the executable resumes it.
    static func saveSession(home: URL, url: URL, user: String, token: String) async throws {
        let clock = SystemClock()
        let later = clock.now + .seconds(86_400 * 365)
        let id = UserID(user)
        let session = Session(
            user: User(id: 1, name: "Bench", email: nil, chatID: id),
            userToken: UserToken(accessToken: Secret(token), refreshToken: nil, expiresAt: later),
            chatToken: ChatToken(accessToken: Secret(token), userID: id, expiresAt: later))
        let key = SessionKey(endpoint: FixedEndpoint(url).identity, kind: .matrix)
        try await SessionStore(home: home, clock: clock).locked { error in
            error
        } _: { held throws(SessionStore.Failure) in
            try held.save(session, for: key)
        }
    }

    /// One GET after the other: by URLSession alone, or by the client's transport.
    static func roundTrips(url: String, count: Int, kind: String) async throws {
        guard let url = URL(string: url + "/_matrix/client/versions") else { throw BenchError("\(url) is no URL") }
        let transport = URLSessionTransport(environment: .live())
        let bare = URLSession(configuration: .ephemeral)
        let request = TransportRequest(
            operation: .discovery, method: "GET", url: url, deadline: .seconds(60))
        let clock = ContinuousClock()
        let taken = try await clock.measure {
            for _ in 0..<count {
                if kind == "bare" { try await Self.get(url, bare) } else { _ = try await transport.perform(request) }
            }
        }
        print(taken.milliseconds / Double(count))
    }

    private static func get(_ url: URL, _ session: URLSession) async throws {
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
            session.dataTask(with: url) { _, _, error in continuation.resume(returning: error) }.resume()
        }
        if let error { throw error }
    }
}
