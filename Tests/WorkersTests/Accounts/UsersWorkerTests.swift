import Foundation
import Models
import Testing

@testable import Workers

@Suite("UsersWorker and Authenticator")
struct UsersWorkerTests {
    private let folder = TemporaryFolder()
    private let clock = VirtualClock(now: start)
    private let activity = Activity()
    private let server = StubWordsServer()

    private struct App {
        let users: UsersWorker
        let authenticator: Authenticator
        let transport: StubTransport
    }

    private func app(_ transport: StubTransport? = nil) -> App {
        let transport = transport ?? server.transport
        let store = words(transport, clock)
        let authenticator = Authenticator(
            store: store, sessions: SessionStore(home: folder.url, clock: clock),
            server: ServerIdentity(endpoint: stubEndpoint.identity, kind: .words), clock: clock)
        return App(
            users: UsersWorker(
                store: store, authenticator: authenticator, environment: .virtual(clock: clock, activity: activity)),
            authenticator: authenticator, transport: transport)
    }

    private func signedIn() async throws -> App {
        let app = app()
        _ = try await app.users.login(identity: "alice@words.test", password: Secret("secret"))
        return app
    }

    private var stored: String {
        let file = folder.url.appendingPathComponent("session/sessions.json")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }

    @Test("signing up makes the account, signs in, and stores the session")
    func signup() async throws {
        let app = app()

        let session = try await app.users.signup(
            name: "Alice", email: "alice@words.test", password: Secret("secret"))

        #expect(app.transport.calls.map(\.operation) == [.signup, .login, .chatToken, .user])
        #expect(session.user.chatID == alice)
        #expect(session.chatToken.accessToken == Secret("chat-of-access-0"))
        #expect(stored.contains("access-0"))
        #expect(activity.isIdle)
    }

    @Test("resuming asks the server who this is, and makes no login request")
    func resume() async throws {
        _ = try await signedIn()
        let app = app()

        let outcome = await app.users.resume()

        guard case .valid(let session) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(session.user.name == "Alice")
        #expect(app.transport.calls.map(\.operation) == [.user])
    }

    @Test("a session is resumed whatever the kind of its server, and not where the server is of another kind by now")
    func resumeKinds() async throws {
        let store = SessionStore(home: folder.url, clock: clock)
        let kept = session()
        try await store.locked(failure: { $0 }) { held throws(SessionStore.Failure) in
            try held.save(kept, for: SessionKey(endpoint: "https://one.example", kind: .matrix))
        }
        let kinds = Locked<SessionKey.Kind>(.matrix)
        func resume() async -> (ResumedSession, [String]) {
            let transport = StubTransport { request, _ in
                switch request.operation {
                case .discovery:
                    let isWords = kinds.withLock { $0 } == .words
                    return .success(
                        .json(200, #"{"versions":["v1.1"],"unstable_features":{"org.words.api":\#(isWords)}}"#))
                case .user: return .success(.json(200, #"{"user_id":"@alice:words.test"}"#))
                default: return .success(.json(200, #"{"displayname":"Alice"}"#))
                }
            }
            guard let address = try? ServerAddress("https://one.example") else { return (.none, []) }
            let client = ClientAssembly.make(
                endpoint: HomeserverEndpoint(address, transport: transport), home: folder.url,
                environment: .virtual(clock: clock), transport: transport)
            let outcome = await client.users.resume()
            return (outcome, transport.calls.compactMap(\.authorization))
        }

        let (same, _) = await resume()
        kinds.withLock { $0 = .words }
        let (other, tokens) = await resume()

        guard case .valid = same else {
            Issue.record("\(same)")
            return
        }
        #expect(other == .ended)
        #expect(tokens == [])
    }

    @Test("resuming with nothing stored asks nobody")
    func resumeNothing() async throws {
        let app = app()

        #expect(await app.users.resume() == .none)
        #expect(app.transport.calls.isEmpty)
    }

    @Test("resuming with the server down keeps the session")
    func resumeOffline() async throws {
        _ = try await signedIn()
        server.rules.withLock { $0.isDown = true }

        let outcome = await app().users.resume()

        guard case .offline(let session, .unreachable) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(session.user.chatID == alice)
        #expect(stored.contains("access-0"))
    }

    @Test("resuming a session that has run out renews it")
    func resumeExpired() async throws {
        _ = try await signedIn()
        _ = clock.fireNext(upTo: start + .seconds(7_200))
        let app = app()

        let outcome = await app.users.resume()

        guard case .valid(let session) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(session.userToken.accessToken == Secret("access-1"))
        #expect(session.chatToken.accessToken == Secret("chat-of-access-1"))
        #expect(app.transport.calls.map(\.operation) == [.refresh, .chatToken, .user])
        #expect(stored.contains("access-1") && !stored.contains("access-0"))
    }

    @Test("resuming a session that the server refuses says so once; it is gone from disk, its token not offered again")
    func resumeRefused() async throws {
        _ = try await signedIn()
        server.rules.withLock { rules in
            rules.honoured = []
            rules.refreshStatus = 400
        }
        let app = app()

        let first = await app.users.resume()
        let second = await app.users.resume()

        #expect(first == .ended)
        #expect(second == .none)
        #expect(app.transport.calls.map(\.operation) == [.user, .refresh])
        #expect(!stored.contains("access"))
    }

    @Test("an unreadable session file is told, not thrown away")
    func resumeUnreadable() async throws {
        _ = try await signedIn()
        let file = folder.url.appendingPathComponent("session/sessions.json")
        try Data("{".utf8).write(to: file)

        guard case .unreadable(let message) = await app().users.resume() else {
            Issue.record("read")
            return
        }
        #expect(message.contains(file.path))
    }

    @Test("a lost refresh answer is asked for again, with the same refresh token")
    func lostRefresh() async throws {
        let app = try await signedIn()
        server.rules.withLock { $0.lostRefreshes = 1 }
        _ = clock.fireNext(upTo: start + .seconds(3_590))

        _ = try await app.users.contacts()

        let refreshes = app.transport.calls.filter { $0.operation == .refresh }
        #expect(refreshes.count == 2)
        #expect(refreshes.allSatisfy { $0.body.contains("refresh-0") })
    }

    @Test("a renewal that does not get through is no logout; it is tried with the next request")
    func renewalOffline() async throws {
        let app = try await signedIn()
        _ = clock.fireNext(upTo: start + .seconds(3_600))
        server.rules.withLock { $0.isDown = true }

        await #expect(throws: UsersError.network(.unreachable)) { try await app.users.contacts() }
        server.rules.withLock { $0.isDown = false }
        let contacts = try await app.users.contacts()

        #expect(contacts.isEmpty)
        #expect(stored.contains("access-1"))
    }

    @Test("many requests at once share one renewal")
    func oneRenewal() async throws {
        let app = try await signedIn()
        _ = clock.fireNext(upTo: start + .seconds(3_600))
        let users = app.users

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await users.contacts() } }
            try await group.waitForAll()
        }

        #expect(app.transport.calls.filter { $0.operation == .refresh }.count == 1)
    }

    @Test("a renewal that begins as another ends is nobody's lost session")
    func manyRenewals() async throws {
        server.rules.withLock { $0.lifetime = 0 }
        let users = try await signedIn().users

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<25 { _ = try await users.contacts() } }
            }
            try await group.waitForAll()
        }

        #expect(activity.isIdle)
    }

    @Test("of two processes of one home, one renews and the other takes over what it stored")
    func twoProcesses() async throws {
        let first = try await signedIn()
        let second = app()
        _ = await second.users.resume()
        _ = clock.fireNext(upTo: start + .seconds(3_600))

        async let one = first.users.contacts()
        async let other = second.users.contacts()
        _ = try await (one, other)

        let refreshes = (first.transport.calls + second.transport.calls).filter { $0.operation == .refresh }
        #expect(refreshes.count == 1)
        #expect(await first.authenticator.session == second.authenticator.session)
    }

    @Test("a session that another process has ended is over here too")
    func endedElsewhere() async throws {
        let first = try await signedIn()
        let second = app()
        _ = await second.users.resume()
        _ = await first.users.logout()
        server.rules.withLock { $0.honoured = [] }

        await #expect(throws: UsersError.unauthenticated) { try await second.users.contacts() }

        #expect(!second.transport.calls.contains { $0.operation == .refresh })
    }

    @Test("a chat token that the server does not know is replaced, within the same session")
    func chatRenewal() async throws {
        let app = try await signedIn()
        let before = try await app.authenticator.chatToken()
        server.rules.withLock { $0.honoured = ["access-0"] }

        let after = try await app.authenticator.chatToken(insteadOf: before)

        #expect(app.transport.calls.last?.operation == .chatToken)
        #expect(after == Secret("chat-of-access-0"))
    }

    @Test("a chat token that was renewed meanwhile is given without asking")
    func chatRenewedMeanwhile() async throws {
        let app = try await signedIn()
        let count = app.transport.calls.count

        let token = try await app.authenticator.chatToken(insteadOf: Secret("an older one"))

        #expect(token == Secret("chat-of-access-0"))
        #expect(app.transport.calls.count == count)
    }

    @Test("logging out ends the session there and here")
    func logout() async throws {
        let app = try await signedIn()

        let outcome = await app.users.logout()

        #expect(outcome == .complete)
        #expect(app.transport.calls.last?.operation == .logout)
        #expect(app.transport.calls.last?.authorization == "Bearer access-0")
        #expect(!stored.contains("access"))
        await #expect(throws: UsersError.noSession) { try await app.users.contacts() }
    }

    @Test("a session that the server has ended is over here too, and nothing of it is offered any more")
    func hardLogout() async throws {
        let app = try await signedIn()
        let count = app.transport.calls.count

        await #expect(throws: UsersError.unauthenticated) {
            try await app.authenticator.chatToken(afterEndOf: Secret("chat-of-access-0"))
        }

        #expect(app.transport.calls.count == count)
        #expect(!stored.contains("access-0"))
        await #expect(throws: UsersError.unauthenticated) { try await app.users.contacts() }
    }

    @Test("the end of an earlier session is not that of the one held now, nor of one that another process has stored")
    func hardLogoutOfAnother() async throws {
        let first = try await signedIn()
        let second = app()
        _ = await second.users.resume()
        server.rules.withLock { $0.refreshes = 5 }
        _ = try await first.users.login(identity: "alice@words.test", password: Secret("secret"))

        let here = try await first.authenticator.chatToken(afterEndOf: Secret("chat-of-access-0"))
        let there = try await second.authenticator.chatToken(afterEndOf: Secret("chat-of-access-0"))

        #expect(here == Secret("chat-of-access-5"))
        #expect(there == Secret("chat-of-access-5"))
        #expect(stored.contains("access-5"))
    }

    @Test(
        "logging out ends its own session only, whoever has signed in by the time of its answer",
        arguments: [(204, true), (204, false), (401, true), (401, false)])
    func lateLogout(status: Int, isSamePerson: Bool) async throws {
        let users = Locked<UsersWorker?>(nil)
        let inner = server.transport
        let app = app(
            StubTransport { [server] request, _ in
                if request.operation == .logout, let users = users.withLock({ $0 }) {
                    server.rules.withLock { $0.refreshes = 7 }
                    _ = try? await users.login(identity: "someone@words.test", password: Secret("secret"))
                    return .success(.json(status, #"{"message":"Unauthenticated."}"#))
                }
                if request.operation == .user, !isSamePerson, request.header("Authorization") == "Bearer access-7" {
                    return .success(.json(200, #"{"id":2,"name":"Bob","chatkit_id":"@bob:words.test"}"#))
                }
                do throws(NetworkFault) { return .success(try await inner.perform(request)) } catch {
                    return .failure(error)
                }
            })
        _ = try await app.users.login(identity: "alice@words.test", password: Secret("secret"))
        users.withLock { $0 = app.users }

        let outcome = await app.users.logout()
        _ = try await app.users.contacts()

        #expect(outcome == .complete)
        #expect(app.transport.calls.filter { $0.operation == .logout }.map(\.authorization) == ["Bearer access-0"])
        #expect(app.transport.calls.last?.authorization == "Bearer access-7")
        #expect(await app.authenticator.session?.user.chatID == (isSamePerson ? alice : bob))
        #expect(stored.contains("access-7") && !stored.contains("access-0"))
    }

    @Test("logging out offline ends it here and says that the server still holds it")
    func logoutOffline() async throws {
        let app = try await signedIn()
        server.rules.withLock { $0.isDown = true }

        #expect(await app.users.logout() == .localOnly)
        #expect(!stored.contains("access"))
    }

    @Test("a short limit at login is waited out; waiting is no activity")
    func shortLimit() async throws {
        let inner = server.transport
        let app = app(
            StubTransport { request, number in
                if number == 1 { return .success(.json(429, "{}", headers: [("Retry-After", "2")])) }
                do throws(NetworkFault) { return .success(try await inner.perform(request)) } catch {
                    return .failure(error)
                }
            })
        let users = app.users

        let login = Task { try await users.login(identity: "alice@words.test", password: Secret("secret")) }
        while clock.nextDeadline == nil { await Task.yield() }
        await activity.idle()
        await clock.advance(by: .seconds(2)) { await activity.idle() }

        #expect(try await login.value.user.chatID == alice)
        #expect(app.transport.calls.count == 4)
    }

    @Test("a long limit is told at once; a short one that does not end is told after two waits")
    func longLimit() async throws {
        let long = app(StubTransport { _, _ in .success(.json(429, "{}", headers: [("Retry-After", "600")])) })

        await #expect(throws: UsersError.limited(retryAfter: .seconds(600))) {
            try await long.users.login(identity: "a", password: Secret("b"))
        }
        #expect(long.transport.calls.count == 1)
    }

    @Test(
        "a page of some proxy never ends a session",
        arguments: [
            (401, "<html>Sign in to the hotel's network</html>"), (403, "no"), (404, ""), (502, "<html>"),
            (200, "<html>"),
            (302, ""), (200, ""),
        ])
    func proxy(status: Int, body: String) async throws {
        _ = try await signedIn()
        let app = app(StubTransport { _, _ in .success(.json(status, body)) })

        let outcome = await app.users.resume()

        guard case .offline(_, .serverFault(status)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(stored.contains("access-0"))
    }

    @Test("a password that was refused is not offered again by itself, and nothing is stored")
    func wrongPassword() async throws {
        let app = app(
            StubTransport { _, _ in
                .success(.json(400, #"{"error":"invalid_grant","message":"Wrong e-mail address or password."}"#))
            })

        await #expect(throws: UsersError.wrongCredentials("Wrong e-mail address or password.")) {
            try await app.users.login(identity: "alice@words.test", password: Secret("wrong"))
        }
        #expect(app.transport.calls.count == 1)
        #expect(stored.isEmpty)
    }
}
