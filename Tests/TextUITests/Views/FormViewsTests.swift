import Models
import Scenes
import Testing

@testable import TextUI

@MainActor
@Suite("LaunchView, WelcomeView, LoginView and SignupView")
struct FormViewsTests {
    private let fixture = ViewFixture()
    private var log: CallLog { fixture.log }
    private let credentials = Command(name: "login", named: ["email": "alice@words.test", "password": "secret-one"])

    @Test("Launch resumes, then goes where the view model says", arguments: [0, 1, 2])
    func launch(index: Int) async {
        let destinations: [Launch.Resume.ViewModel.Destination] = [.listContacts, .welcome, .login]
        let routes: [Call] = [.toListContacts, .toWelcome("a notice"), .toLogin]
        let view = fixture.launch()
        log.duringRequest = {
            view.displayResume(viewModel: .init(destination: destinations[index], notice: "a notice"))
        }

        await view.start()

        #expect(log.calls == [.resume, routes[index]])
        #expect(view.takeLines().texts == ["Words", "  (starting)"])
    }

    @Test("Welcome leads to the scene of the command, and puts its notice away")
    func welcome() async {
        let view = WelcomeView(
            viewModel: Welcome.ViewModel(notice: "You are logged out here."), router: RouterSpy(log),
            context: fixture.context)

        _ = await view.perform(Command(name: "login"))
        _ = await view.perform(Command(name: "signup"))
        #expect(log.calls == [.toLogin, .toSignup])

        var facts = ScreenFacts(scene: .welcome)
        view.describe(in: &facts)
        #expect(facts.errors == ["You are logged out here."])
        _ = await view.perform(Command(name: "dismiss"))
        #expect(view.screen.texts == ["Words", "  (login to sign in, signup to make an account)"])
    }

    @Test("Login asks its interactor, and once signed in goes on to the contacts")
    func login() async {
        let view = fixture.login()
        await view.start()
        log.duringRequest = { view.displayAccount(viewModel: .init(isSignedIn: true)) }

        let outcome = await view.perform(credentials)

        #expect(outcome == .done())
        #expect(
            log.calls == [
                .startLogin, .login(identity: "alice@words.test", password: Secret("secret-one")), .toListContacts,
            ])
    }

    @Test("a refused login says why, prints it once, and stays")
    func refused() async {
        let view = fixture.login()
        await view.start()
        _ = view.takeLines()
        log.duringRequest = {
            view.displayAccount(viewModel: .init(isBusy: true))
            view.displayAccount(
                viewModel: .init(
                    fieldErrors: [.init(field: .password, text: "The password is missing.")],
                    generalError: "Nobody was signed in."))
        }

        let outcome = await view.perform(credentials)

        #expect(outcome == .failed(reason: "The password is missing."))
        #expect(view.takeLines().texts == ["! The password is missing.", "! Nobody was signed in."])
        #expect(view.takeLines().isEmpty)
        #expect(view.screen.texts.suffix(2) == ["! The password is missing.", "! Nobody was signed in."])
        #expect(log.calls.last == .login(identity: "alice@words.test", password: Secret("secret-one")))
    }

    @Test("a login that the server puts off says so, and goes on by itself when it succeeds later")
    func waiting() async {
        let view = fixture.login()
        log.duringRequest = {
            view.displayAccount(viewModel: .init(isBusy: true, status: "Too many tries: trying again in 3 s."))
        }

        let outcome = await view.perform(credentials)
        #expect(outcome == .done())
        #expect(view.screen.texts.last == "Too many tries: trying again in 3 s.")

        view.displayAccount(viewModel: .init(isSignedIn: true))
        await fixture.activity.idle()
        #expect(log.calls.last == .toListContacts)
    }

    @Test("why one is here stands above the form and is a fact")
    func notice() {
        let view = fixture.login()
        view.displayStart(viewModel: .init(notice: "Your session has expired. Sign in again."))

        var facts = ScreenFacts(scene: .login)
        view.describe(in: &facts)

        #expect(facts.errors == ["Your session has expired. Sign in again."])
        #expect(view.takeLines().texts.prefix(2) == ["Sign in", "Your session has expired. Sign in again."])
        #expect(view.promptTitle.text == "Sign in")
    }

    @Test("cancel and back lead to Welcome; a view that goes tells its interactor", arguments: ["cancel", "back"])
    func cancel(name: String) async {
        let login = fixture.login()
        let signup = fixture.signup()

        _ = await login.perform(Command(name: name))
        _ = await signup.perform(Command(name: name))
        login.leave()
        signup.leave()

        #expect(log.calls == [.toWelcome(nil), .toWelcome(nil), .leave, .leave])
    }

    @Test("Signup asks its interactor, and once signed in goes on to the contacts")
    func signup() async {
        let view = fixture.signup()
        await view.start()
        log.duringRequest = { view.displayAccount(viewModel: .init(isSignedIn: true)) }
        let command = Command(
            name: "signup", named: ["name": "Alice", "email": "alice@words.test", "password": "secret-one"])

        let outcome = await view.perform(command)

        #expect(outcome == .done())
        #expect(
            log.calls == [
                .signup(name: "Alice", email: "alice@words.test", password: Secret("secret-one")), .toListContacts,
            ])
    }

    @Test("a refused signup says why, until it is put away")
    func refusedSignup() async {
        let view = fixture.signup()
        log.duringRequest = {
            view.displayAccount(viewModel: .init(fieldErrors: [.init(field: .email, text: "This address is taken.")]))
        }

        let outcome = await view.perform(Command(name: "signup", named: ["name": "", "email": "", "password": ""]))

        #expect(outcome == .failed(reason: "This address is taken."))
        #expect(view.screen.texts.last == "! This address is taken.")
        _ = await view.perform(Command(name: "dismiss"))
        #expect(view.screen.texts.last == "  cancel)")
    }
}
