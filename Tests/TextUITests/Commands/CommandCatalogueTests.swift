import Scenes
import Testing

@testable import TextUI

@Suite("CommandCatalogue")
struct CommandCatalogueTests {
    @Test("each scene has its commands")
    func scenes() {
        let everywhere = ["dismiss", "screen", "help", "quit"]
        func names(_ scene: SceneName) -> [String] { CommandCatalogue.commands(in: scene).map(\.name) }

        #expect(names(.welcome) == ["login", "signup"] + everywhere)
        #expect(names(.login) == ["login", "cancel", "back"] + everywhere)
        #expect(names(.signup) == ["signup", "cancel", "back"] + everywhere)
        #expect(
            names(.listContacts) == [
                "contacts", "open", "add", "remove", "block", "unblock", "rename", "passwd", "logout", "channels",
                "refresh", "confirm",
            ] + everywhere)
        #expect(
            names(.listChannels) == [
                "contacts", "open", "logout", "channels", "create", "delete", "join", "accept", "decline", "refresh",
                "confirm",
            ] + everywhere)
        #expect(
            names(.chatroom) == [
                "contacts", "channels", "delete", "invite", "leave", "send", "older", "retry", "typing", "read",
                "members", "back", "confirm",
            ] + everywhere)
    }

    @Test("passwords are the arguments that are secret")
    func secrets() throws {
        let login = try #require(CommandCatalogue["login"])

        #expect(CommandCatalogue.secretNames == ["password", "current", "new"])
        #expect(login.missingSecrets(of: Command(name: "login", named: ["email": "a"])).map(\.name) == ["password"])
        #expect(login.missingSecrets(of: Command(name: "login", named: ["password": "a"])).isEmpty)
    }

    @Test(
        "a command that does not fit says what to write",
        arguments: [
            ("snd x", SceneName.chatroom, "There is no command snd. Did you mean send? Type help for the commands."),
            ("xyzzy", .chatroom, "There is no command xyzzy. Type help for the commands."),
            ("mem", .chatroom, "There is no command mem. Did you mean members? Type help for the commands."),
            ("send", .chatroom, "send needs \"text\". Usage: send \"text\""),
            (
                "send a b", .chatroom,
                "send does not take \"b\" as well. A text with blanks needs quotes. Usage: send \"text\""
            ),
            ("send a=b", .chatroom, "send has no argument a=. A text with = in it needs quotes. Usage: send \"text\""),
            (
                "passwd secret-one secret-two", .listContacts,
                "passwd takes nothing without its name. Usage: passwd current=PASSWORD new=PASSWORD"
            ),
            ("back now", .chatroom, "back takes no \"now\". Usage: back"),
            (
                "login email=a", .login,
                "login needs password=PASSWORD. Usage: login email=EMAIL password=PASSWORD"
            ),
            ("older", .listContacts, "older is for a chat. Type help for what can be done here."),
            (
                "login", .chatroom,
                "login is for the welcome screen and signing in. Type help for what can be done here."
            ),
        ])
    func faults(line: String, scene: SceneName, reason: String) throws {
        let fault = CommandCatalogue.fault(of: try Command(parsing: line), in: scene)

        #expect(fault?.reason == reason)
    }

    @Test(
        "a name that no scene knows is told without a scene",
        arguments: [
            ("send", nil), ("sned", "There is no command sned."),
            ("mem", "There is no command mem. Did you mean members?"),
        ] as [(String, String?)])
    func name(_ name: String, _ fault: String?) {
        #expect(CommandCatalogue.fault(ofName: name) == fault)
    }

    @Test("a fitting command has no fault")
    func fitting() throws {
        #expect(CommandCatalogue.fault(of: try Command(parsing: "send \"a b\""), in: .chatroom) == nil)
        #expect(CommandCatalogue.fault(of: try Command(parsing: "help"), in: .launch) == nil)
        #expect(CommandCatalogue.fault(of: try Command(parsing: "help send"), in: .chatroom) == nil)
        #expect(CommandCatalogue.fault(of: try Command(parsing: "login"), in: .welcome) == nil)
    }
}
