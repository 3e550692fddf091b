import Foundation
import Models
import Testing

@testable import Workers

@Suite("Signing up")
struct SignupTests {
    private let folder = TemporaryFolder()
    private let clock = VirtualClock(now: start)
    private let server = StubWordsServer()

    private static let taken = TransportResponse.json(
        422, #"{"message":"Invalid.","errors":{"email":["There is an account with this address already."]}}"#)

    private func users(_ transport: StubTransport) -> UsersWorker {
        let store = words(transport, clock)
        return UsersWorker(
            store: store,
            authenticator: Authenticator(
                store: store, sessions: SessionStore(home: folder.url, clock: clock),
                server: ServerIdentity(endpoint: stubEndpoint.identity, kind: .words), clock: clock),
            environment: .virtual(clock: clock))
    }

    /// Takes the address with the first signup; `fault` meets the first request for `operation`, done or not.
    private func transport(losing operation: Workers.Operation, _ fault: NetworkFault) -> StubTransport {
        let inner = server.transport
        let asked = Locked<[Workers.Operation: Int]>([:])
        return StubTransport { request, _ in
            let number = asked.withLock { asked in
                asked[request.operation, default: 0] += 1
                return asked[request.operation] ?? 0
            }
            if request.operation == operation, number == 1 { return .failure(fault) }
            if request.operation == .signup, number > 1 { return .success(Self.taken) }
            do throws(NetworkFault) { return .success(try await inner.perform(request)) } catch {
                return .failure(error)
            }
        }
    }

    private func signUp(_ users: UsersWorker) async throws(UsersError) -> Session {
        try await users.signup(name: "Alice", email: "alice@words.test", password: Secret("secret"))
    }

    @Test(
        "a second try gets into the account that the first has made",
        arguments: [(Workers.Operation.signup, NetworkFault.interrupted), (.login, .unreachable)])
    func secondTry(operation: Workers.Operation, fault: NetworkFault) async throws {
        let users = users(transport(losing: operation, fault))

        await #expect(throws: UsersError.network(fault)) { try await signUp(users) }
        let session = try await signUp(users)

        #expect(session.user.chatID == alice)
    }

    @Test("an address that was taken before is not tried to be got into")
    func takenBefore() async throws {
        let transport = StubTransport { _, _ in .success(Self.taken) }
        let users = users(transport)

        let error = await #expect(throws: UsersError.self) { try await signUp(users) }

        guard case .invalid = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.calls.map(\.operation) == [.signup])
    }

    @Test("an attempt that another one has overtaken ends at the server and leaves no session")
    func overtaken() async throws {
        let inner = server.transport
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let isFirst = Locked(true)
        let transport = StubTransport { request, _ in
            let isHeld =
                request.operation == .chatToken
                && isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
            if isHeld {
                arrived.yield()
                for await _ in gate { break }
            }
            do throws(NetworkFault) { return .success(try await inner.perform(request)) } catch {
                return .failure(error)
            }
        }
        let users = users(transport)

        let early = Task { try await users.login(identity: "alice@words.test", password: Secret("secret")) }
        for await _ in arrivals { break }
        let late = try await signUp(users)
        open.yield()

        await #expect(throws: UsersError.noSession) { try await early.value }
        #expect(transport.calls.last?.operation == .logout)
        #expect(await users.resume() == .valid(late))
    }
}
