import Models
import Scenes
import Testing
import TextSnapshots

@testable import TextUI

@Suite("Renderers of Launch, Welcome, Login, Signup, notices and help")
struct SmallRenderersTests {
    @Test("Launch says that it starts")
    func launch() throws {
        try TextSnapshot().compare(WelcomeRenderer.launchLines(width: 40).texts, with: "Words\n  (starting)")
    }

    @Test("Welcome says what can be done, and why one is here")
    func welcome() throws {
        let notice = Welcome.ViewModel(notice: "You are logged out here.")

        try TextSnapshot().compare(
            WelcomeRenderer.lines(of: Welcome.ViewModel(notice: nil), width: 60).texts,
            with: """
                Words
                  (login to sign in, signup to make an account)
                """)
        try TextSnapshot().compare(
            WelcomeRenderer.lines(of: notice, width: 24).texts,
            with: """
                Words
                You are logged out here.
                  (login to sign in,
                  signup to make an
                  account)
                """)
    }

    @Test("Login and Signup say what to type")
    func forms() throws {
        let expired = Login.Start.ViewModel(notice: "Your session has expired. Sign in again.")

        try TextSnapshot().compare(
            LoginRenderer.lines(of: expired, width: 60).texts,
            with: """
                Sign in
                Your session has expired. Sign in again.
                  (login email=EMAIL password=PASSWORD, or cancel)
                """)
        try TextSnapshot().compare(
            SignupRenderer.lines(width: 80).texts,
            with: """
                Sign up
                  (signup name="Name" email=EMAIL password=PASSWORD, or cancel)
                """)
    }

    @Test("errors come first by field, then in general, then what goes on")
    func notices() {
        let login = Login.Account.ViewModel(
            isBusy: true, status: "waiting", fieldErrors: [.init(field: .password, text: "field")],
            generalError: "general")
        let signup = Signup.Account.ViewModel(
            status: "waiting", fieldErrors: [.init(field: .name, text: "field")], generalError: "general")
        let expected = [
            Journal.Notice(text: "field", isError: true), Journal.Notice(text: "general", isError: true),
            Journal.Notice(text: "waiting", isError: false),
        ]

        #expect(LoginRenderer.notices(of: login) == expected)
        #expect(SignupRenderer.notices(of: signup) == expected)
    }

    @Test("an error begins with a mark and hangs behind it")
    func errors() throws {
        let error = Journal.Notice(text: "bob@words.test was not added: nobody goes by that address.", isError: true)

        try TextSnapshot().compare(
            NoticeRenderer.lines(of: error, width: 40).texts,
            with: """
                ! bob@words.test was not added: nobody
                  goes by that address.
                """)
    }

    @Test("help lists the commands of the scene", arguments: SceneName.allCases)
    func help(scene: SceneName) throws {
        try TextSnapshot().compare(
            HelpRenderer.lines(about: nil, in: scene, width: 80).texts, named: "help-\(scene.rawValue)")
    }

    @Test("help explains one command, and says where there is none")
    func helpForOne() throws {
        try TextSnapshot().compare(
            HelpRenderer.lines(about: "open", in: .chatroom, width: 60).texts,
            with: """
                  open "Name"|N
                      chat with a contact or in a channel, by name or by
                      number in the list
                """)
        #expect(
            HelpRenderer.lines(about: "\u{1B}c", in: .chatroom, width: 60).texts
                == ["! There is no command ␛c. Type help for the commands."])
    }
}
