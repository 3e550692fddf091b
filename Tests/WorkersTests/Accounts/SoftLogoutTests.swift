import Foundation
import Models
import Testing

@testable import Workers

/// Client-server API, "Soft logout": the token is over, the session is not.
@Suite("Soft logout")
struct SoftLogoutTests {
    private let folder = TemporaryFolder()
    private let clock = VirtualClock(now: start)
    private let activity = Activity()
    private let server = StubWordsServer()
    private let stores = CountingStores()

    private struct App {
        let users: UsersWorker
        let authenticator: Authenticator
        let transport: StubTransport
    }

    /// Each app is a process of the same home.
    private func app() -> App { app(server.transport, .words) { words($0, clock) } }

    private func app(
        _ transport: StubTransport, _ kind: SessionKey.Kind, _ store: (StubTransport) -> any UsersStore
    ) -> App {
        let store = store(transport)
        let authenticator = Authenticator(
            store: store, sessions: SessionStore(home: folder.url, clock: clock),
            server: ServerIdentity(endpoint: stubEndpoint.identity, kind: kind), clock: clock)
        let users = UsersWorker(
            store: store, authenticator: authenticator, environment: .virtual(clock: clock, activity: activity),
            stores: stores)
        return App(users: users, authenticator: authenticator, transport: transport)
    }

    private func signIn(_ app: App) async throws {
        _ = try await app.users.login(identity: "alice@words.test", password: Secret("secret"))
    }

    /// From now on the server takes no token, and says whether the session is over as well.
    private func refuse(softly: Bool) {
        server.rules.withLock { rules in
            rules.honoured = []
            rules.refreshStatus = 400
            rules.refusesSoftly = softly
        }
    }

    private func relent() {
        server.rules.withLock { rules in
            rules.honoured = nil
            rules.refreshStatus = 200
            rules.refreshes = 7
        }
    }

    private var stored: String {
        let file = folder.url.appendingPathComponent("session/sessions.json")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }

    @Test("a session that has run out is told from one that is over, and what is kept of it stays")
    func expired() async throws {
        let app = app()
        try await signIn(app)
        refuse(softly: true)

        await #expect(throws: UsersError.expired) { try await app.users.contacts() }
        let count = app.transport.calls.count
        await #expect(throws: UsersError.expired) { try await app.users.contacts() }
        await #expect(throws: UsersError.expired) { try await app.authenticator.chatToken() }
        await #expect(throws: UsersError.expired) {
            try await app.authenticator.chatToken(insteadOf: Secret("chat-of-access-0"))
        }

        #expect(app.transport.calls.suffix(2).map(\.operation) == [.contacts, .refresh])
        #expect(app.transport.calls.count == count, "nothing that was refused is offered again")
        #expect(!stored.contains("access") && !stored.contains("refresh-0") && stored.contains("DEVICE"))
        #expect(stores.wiped == [])
    }

    @Test("the next start says so again and offers nothing; signing in goes on with the same device")
    func nextStart() async throws {
        try await signIn(app())
        refuse(softly: true)
        let first = app()
        let found = await first.users.resume()
        let second = app()
        let foundAgain = [await second.users.resume(), await second.users.resume()]
        relent()

        try await signIn(second)
        let third = app()

        #expect(found == .expired)
        #expect(first.transport.calls.map(\.operation) == [.user, .refresh])
        #expect(foundAgain == [.expired, .expired])
        #expect(second.transport.calls.map(\.operation) == [.login, .chatToken, .user])
        #expect(second.transport.calls.first?.body.contains(#""device_id":"DEVICE""#) == true)
        #expect(stores.wiped == [])
        guard case .valid = await third.users.resume() else {
            Issue.record("not resumed")
            return
        }
    }

    @Test("somebody else who signs in gets a device of their own, and leaves what is kept")
    func somebodyElse() async throws {
        try await signIn(app())
        refuse(softly: true)
        let app = app()
        _ = await app.users.resume()
        relent()

        _ = try await app.users.login(identity: "bob@words.test", password: Secret("secret"))

        #expect(app.transport.calls.last { $0.operation == .login }?.body.contains("device_id") == false)
        #expect(stores.wiped == [])
    }

    @Test("the end for good, told by the refresh, takes all with it", arguments: [true, false])
    func ended(atStart: Bool) async throws {
        let app = app()
        try await signIn(app)
        refuse(softly: false)

        if atStart {
            #expect(await self.app().users.resume() == .ended)
            #expect(stores.wiped == [alice])
        } else {
            await #expect(throws: UsersError.unauthenticated) { try await app.users.contacts() }
        }

        #expect(!stored.contains("DEVICE"))
        #expect(await self.app().users.resume() == .none)
    }

    @Test("logging out of a session that turns out to have run out keeps nothing")
    func logout() async throws {
        let app = app()
        try await signIn(app)
        refuse(softly: true)

        let outcome = await app.users.logout()

        #expect(outcome == .complete)
        #expect(stores.wiped == [alice])
        #expect(!stored.contains("DEVICE"))
        #expect(await self.app().users.resume() == .none)
    }

    @Test("logging out after having signed in again keeps nothing either")
    func logoutLater() async throws {
        try await signIn(app())
        refuse(softly: true)
        let app = app()
        _ = await app.users.resume()
        relent()
        try await signIn(app)

        _ = await app.users.logout()

        #expect(stores.wiped == [alice])
        #expect(await self.app().users.resume() == .none)
    }

    @Test("a sign-in that is taken back leaves what was kept before it, and no session")
    func withdrawn() async throws {
        try await signIn(app())
        refuse(softly: true)
        let app = app()
        _ = await app.users.resume()
        relent()
        try await signIn(app)

        await app.users.withdraw()

        #expect(!app.transport.calls.contains { $0.operation == .logout })
        #expect(!stored.contains("access") && stored.contains("DEVICE"))
        #expect(stores.wiped == [])
        #expect(await self.app().users.resume() == .expired)
    }

    @Test("where nothing was kept, it is ended at the server as well")
    func withdrawnFirst() async throws {
        let app = app()
        try await signIn(app)

        await app.users.withdraw()

        #expect(app.transport.calls.last?.operation == .logout)
        #expect(await self.app().users.resume() == .none)
    }

    @Test("what another process has seen run out has run out here too, and nothing is asked for it")
    func anotherProcess() async throws {
        let first = app()
        try await signIn(first)
        let second = app()
        _ = await second.users.resume()
        refuse(softly: true)
        await #expect(throws: UsersError.expired) { try await first.users.contacts() }

        await #expect(throws: UsersError.expired) { try await second.users.contacts() }

        #expect(!second.transport.calls.contains { $0.operation == .refresh })
    }

    @Test(
        "on a homeserver the refresh decides where there is one, and else the refusal itself",
        arguments: [
            (nil, true, UsersError.expired), (nil, false, .unauthenticated),
            (true, true, .expired), (true, false, .expired), (false, true, .unauthenticated),
        ] as [(Bool?, Bool, UsersError)])
    func homeserver(refreshIsSoft: Bool?, tokenIsSoft: Bool, expected: UsersError) async throws {
        let isRefused = Locked(false)
        let refusal = { @Sendable (isSoft: Bool) -> TransportResponse in
            .json(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"No.","soft_logout":\#(isSoft)}"#)
        }
        let transport = StubTransport { request, _ in
            switch request.operation {
            case .login:
                let refresh = refreshIsSoft == nil ? "" : #","refresh_token":"r1""#
                return .success(
                    .json(200, #"{"user_id":"@alice:words.test","access_token":"a1","device_id":"D"\#(refresh)}"#))
            case .refresh: return .success(refusal(refreshIsSoft ?? false))
            default:
                guard isRefused.withLock({ $0 }) else {
                    return .success(.json(200, #"{"user_id":"@alice:words.test"}"#))
                }
                return .success(refusal(tokenIsSoft))
            }
        }
        let app = app(transport, .matrix) { transport in
            MatrixUsers(connection: ServerConnection(endpoint: stubEndpoint, transport: transport), clock: clock)
        }
        _ = try await app.users.login(identity: "alice", password: Secret("secret"))
        let count = transport.calls.count
        isRefused.withLock { $0 = true }

        await #expect(throws: expected) { try await app.users.rename(to: "Al") }

        let tried: [Workers.Operation] = refreshIsSoft == nil ? [.rename] : [.rename, .refresh]
        #expect(transport.calls.dropFirst(count).map(\.operation) == tried)
        let key = await app.authenticator.key
        #expect(try SessionStore(home: folder.url, clock: clock).session(of: key) == nil)
        #expect(stored.contains(#""D""#) == (expected == .expired))
    }

    @Test("a renewal that does not say which device it is for keeps the one that is known")
    func renewedDevice() async throws {
        let transport = StubTransport { request, _ in
            switch request.operation {
            case .login, .refresh:
                let device = request.operation == .login ? #","device_id":"D""# : ""
                return .success(
                    .json(
                        200,
                        #"{"user_id":"@alice:words.test","access_token":"a","refresh_token":"r","expires_in_ms":1000\#(device)}"#
                    ))
            default: return .success(.json(200, #"{"user_id":"@alice:words.test"}"#))
            }
        }
        let app = app(transport, .matrix) { transport in
            MatrixUsers(connection: ServerConnection(endpoint: stubEndpoint, transport: transport), clock: clock)
        }
        _ = try await app.users.login(identity: "alice", password: Secret("secret"))
        _ = clock.fireNext(upTo: start + .seconds(2))

        _ = try await app.users.rename(to: "Al")

        #expect(transport.calls.contains { $0.operation == .refresh })
        #expect(await app.authenticator.device(for: "alice") == DeviceID("D"))
        #expect(await app.authenticator.session?.userToken.deviceID == DeviceID("D"))
    }

    @Test("where one token serves for all, it is not offered to ask for another after it was refused")
    func oneToken() async throws {
        let transport = StubTransport { request, _ in
            switch request.operation {
            case .login: .success(.json(200, #"{"user_id":"@alice:words.test","access_token":"a1"}"#))
            default: .success(.json(200, #"{"user_id":"@alice:words.test"}"#))
            }
        }
        let app = app(transport, .matrix) { transport in
            MatrixUsers(connection: ServerConnection(endpoint: stubEndpoint, transport: transport), clock: clock)
        }
        _ = try await app.users.login(identity: "alice", password: Secret("secret"))
        let count = transport.calls.count

        await #expect(throws: UsersError.expired) { try await app.authenticator.chatToken(insteadOf: Secret("a1")) }

        #expect(transport.calls.count == count)
    }
}

/// Stores that keep nothing, and tell whose were wiped.
private final class CountingStores: ClientStores {
    private let gone = Locked<[UserID]>([])
    private let inner = MemoryClientStores()

    var wiped: [UserID] { gone.withLock { $0 } }

    func store(of user: UserID) -> any ClientStore { inner.store(of: user) }
    func wipe(_ user: UserID) async { gone.withLock { $0.append(user) } }
}
