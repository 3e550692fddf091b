import Models
import Testing
import Workers

@testable import Scenes

@MainActor
private final class PresenterSpy: SignupPresentationLogic {
    var calls: [Signup.Account.Response.Progress] = []
    func presentAccount(response: Signup.Account.Response) { calls.append(response.progress) }
}

@MainActor
@Suite("SignupInteractor")
struct SignupInteractorTests {
    private let presenter = PresenterSpy()
    private let users = UsersWorkerSpy()
    private let time = VirtualTime()
    private let interactor: SignupInteractor

    init() {
        interactor = SignupInteractor(presenter: presenter, users: users, environment: time.environment)
    }

    private func signUp(
        name: String = "Alice", email: String = "alice@words.test", password: String = "secret-one"
    ) async {
        await interactor.createAccount(request: .init(name: name, email: email, password: Secret(password)))
    }

    @Test("a fit form makes the account and signs in")
    func signsUp() async {
        await signUp()

        #expect(presenter.calls == [.busy, .signedIn])
        #expect(
            users.calls == [.signup(name: "Alice", email: "alice@words.test", password: Secret("secret-one"))])
        #expect(interactor.session == Fixture.session())
    }

    @Test("name and address are trimmed, the address folded as at login")
    func folds() async {
        await signUp(name: " Alice ", email: " Alice@Words.TEST ")

        #expect(
            users.calls == [.signup(name: "Alice", email: "alice@words.test", password: Secret("secret-one"))])
    }

    @Test("what the server would refuse is told without asking it, all at once")
    func unfit() async {
        await signUp(name: " ", email: "alice", password: "12345")

        #expect(
            presenter.calls == [
                .unfit([.name: .missing, .email: .malformedEmail, .password: .length(6...1_024)])
            ])
        #expect(users.calls.isEmpty)
    }

    @Test(
        "where people go by user names, one that is none is told without asking the server",
        arguments: [
            ("alice@words.test", FieldFault.address), ("two words", .malformedUserName), ("", .missing),
            ("Alice.L-7", nil), ("@alice:words.test", nil),
        ])
    func userNames(identity: String, fault: FieldFault?) async {
        users.names = .userNames

        await signUp(email: identity)

        if let fault {
            #expect(presenter.calls == [.unfit([.email: fault], .userNames)])
            #expect(users.calls.isEmpty)
        } else {
            #expect(presenter.calls == [.busy, .signedIn])
        }
    }

    @Test("the server's refusal is passed on, and the next try is free")
    func refused() async {
        let taken = UsersError.invalid(message: "Invalid.", fields: ["email": ["Taken."]])
        users.sessions = [.failure(taken), .success(Fixture.session())]

        await signUp()
        await signUp()

        #expect(presenter.calls == [.busy, .failed(taken), .busy, .signedIn])
    }

    @Test("a short wait is waited out, a second request meanwhile is not made")
    func waits() async {
        users.sessions = [.failure(.limited(retryAfter: .seconds(30))), .success(Fixture.session())]

        await signUp()
        await signUp()

        #expect(presenter.calls == [.busy, .waiting(.seconds(30))])

        await time.advance(.seconds(30))

        #expect(presenter.calls == [.busy, .waiting(.seconds(30)), .signedIn])
        #expect(users.calls.count == 2)
    }

    @Test("leaving ends the waiting; a session that arrives late is taken back")
    func leaving() async {
        users.sessions = [.failure(.limited(retryAfter: .seconds(2))), .success(Fixture.session())]
        await signUp()
        users.meanwhile = { [interactor] call in
            if case .signup = call { interactor.leave() }
        }

        await time.advance(.seconds(2))

        #expect(presenter.calls == [.busy, .waiting(.seconds(2))])
        #expect(users.calls.last == .withdraw)
        #expect(interactor.session == nil)

        await signUp()

        #expect(users.calls.count == 3)
    }
}
