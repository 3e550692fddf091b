/// How the clients of a server elsewhere come to rest: each catches up with the server, and again as long as news leads to
/// requests, which are news for others.
@MainActor
struct SettlingRounds {
    /// Who still answers each other then does so for ever.
    static let most = 8

    /// Returns once nothing is under way in the clients.
    let idle: () async -> Void
    /// The requests so far that are not for news.
    let requestCount: () -> Int
    /// Has each client apply what the server knows; returns how many requests that took.
    let catchUp: () async -> Int

    func play() async {
        for _ in 0..<Self.most {
            await idle()
            let before = requestCount()
            let ownCount = await catchUp()
            await idle()
            if requestCount() == before + ownCount { return }
        }
    }
}
