import Foundation
import Models
import Testing

@testable import Workers

private let room = RoomID("!two:words.test")

/// A homeserver of canned answers, by method and path.
private final class StubHomeserver: Sendable {
    let answers = Locked<[String: [TransportResponse]]>([:])
    private let fallback: [String: TransportResponse] = [
        "GET account/whoami": .json(200, #"{"user_id":"@alice:words.test","device_id":"D"}"#),
        "GET joined_rooms": .json(200, #"{"joined_rooms":["!two:words.test"]}"#),
        "POST logout": .json(200, "{}"),
        "GET profile/@bob:words.test": .json(200, #"{"displayname":"Bob"}"#),
        "POST createRoom": .json(200, #"{"room_id":"!new:words.test"}"#),
    ]

    func answer(_ line: String, _ responses: TransportResponse...) { answers.withLock { $0[line] = responses } }

    var transport: StubTransport {
        StubTransport { [self] request, _ in
            let path = request.url.path.replacingOccurrences(of: "/_matrix/client/v3/", with: "")
            let line = "\(request.method) \(path)"
            let queued = answers.withLock { answers -> TransportResponse? in
                guard let list = answers[line], let first = list.first else { return nil }
                if list.count > 1 { answers[line]?.removeFirst() }
                return first
            }
            if let answer = queued ?? fallback[line] { return .success(answer) }
            if request.method == "PUT" { return .success(.json(200, "{}")) }
            return .success(.json(404, #"{"errcode":"M_NOT_FOUND","error":"There is none."}"#))
        }
    }
}

private let session = #"{"user_id":"@alice:words.test","access_token":"a1","refresh_token":"r1","expires_in_ms":60000}"#
private let challenge = #"{"session":"s1","flows":[{"stages":["m.login.dummy"]}],"params":{}}"#

@Suite("MatrixUsers")
struct MatrixUsersTests {
    private let clock = VirtualClock(now: start)
    private let server = StubHomeserver()
    private let transport: StubTransport
    private let users: MatrixUsers
    private let token = UserToken(
        accessToken: Secret("a1"), refreshToken: Secret("r1"), expiresAt: start + .seconds(60))

    init() {
        transport = server.transport
        users = MatrixUsers(connection: ServerConnection(endpoint: stubEndpoint, transport: transport), clock: clock)
    }

    private var lines: [String] {
        transport.lines.map {
            $0.replacingOccurrences(of: "/_matrix/client/v3/", with: "").replacingOccurrences(of: "%40", with: "@")
                .replacingOccurrences(of: "%3A", with: ":").replacingOccurrences(of: "%21", with: "!")
        }
    }

    private func body(_ index: Int) throws -> JSONValue {
        try JSONValue(parsing: Data(transport.calls[index].body.utf8))
    }

    @Test("an account is made by the dummy stage, and its session is the one that is signed in to")
    func signup() async throws {
        server.answer("POST register", .json(401, challenge), .json(200, session))

        let user = try await users.signup(name: "Alice L", email: "Alice", password: Secret("secret"))
        let token = try await users.login(identity: "alice", password: Secret("secret"))
        let me = try await users.currentUser(token)

        #expect(user.chatID == alice)
        #expect(token == self.token)
        #expect(me == User(id: 0, name: "Alice L", email: nil, chatID: alice))
        #expect(
            lines == [
                "POST register", "POST register", "GET account/whoami", "GET profile/@alice:words.test",
                "PUT profile/@alice:words.test/displayname",
            ])
        #expect(try body(1)["auth"] == ["type": "m.login.dummy", "session": "s1"])
        #expect(try body(1)["username"] == "alice")
    }

    @Test("only the password that the account was made with opens the session that came with it")
    func grant() async throws {
        server.answer("POST register", .json(200, session))
        server.answer("POST login", .json(403, #"{"errcode":"M_FORBIDDEN","error":"Invalid"}"#))
        _ = try await users.signup(name: "Alice", email: "alice", password: Secret("secret"))

        await #expect(throws: UsersError.wrongCredentials("The user name or the password is wrong")) {
            try await users.login(identity: "alice", password: Secret("other"))
        }
    }

    @Test("what a server wants beyond a name and a password is told, and where to register")
    func wantsMore() async throws {
        server.answer(
            "POST register",
            .json(401, #"{"session":"s","flows":[{"stages":["m.login.recaptcha","m.login.terms","m.login.dummy"]}]}"#))

        await #expect(
            throws: UsersError.refused(
                """
                This server asks a newcomer for more than a name and a password: a CAPTCHA, consent to its terms. \
                Register at http://127.0.0.1:1 in a browser, or with another Matrix app; then log in here.
                """)
        ) { try await users.signup(name: "Alice", email: "alice", password: Secret("secret")) }
        #expect(transport.calls.count == 1)
    }

    @Test(
        "a refusal of an account is told beside its field",
        arguments: [
            ("M_USER_IN_USE", "email", "There is an account with this user name already."),
            ("M_INVALID_USERNAME", "email", "No."), ("M_WEAK_PASSWORD", "password", "No."),
        ])
    func refused(code: String, field: String, text: String) async throws {
        server.answer("POST register", .json(400, #"{"errcode":"\#(code)","error":"No."}"#))

        await #expect(throws: UsersError.invalid(message: "No.", fields: [field: [RemoteText(text)]])) {
            try await users.signup(name: "Alice", email: "alice", password: Secret("secret"))
        }
    }

    @Test("an address is refused here, and nothing is sent", arguments: ["alice@words.test", "@alice@words.test"])
    func address(identity: String) async {
        let words = MatrixUsers.wantsUserName

        await #expect(throws: UsersError.invalid(message: words, fields: ["email": [words]])) {
            try await users.login(identity: identity, password: Secret("secret"))
        }
        await #expect(throws: UsersError.invalid(message: words, fields: ["email": [words]])) {
            try await users.signup(name: "A", email: identity, password: Secret("secret"))
        }
        #expect(transport.calls.isEmpty)
    }

    @Test("a login asks for a refresh token; without one, and without an end, the token holds for long")
    func login() async throws {
        server.answer("POST login", .json(200, #"{"user_id":"@alice:words.test","access_token":"a1"}"#))

        let token = try await users.login(identity: "@alice:words.test", password: Secret("secret"))

        #expect(token.refreshToken == nil)
        #expect(token.expiresAt == start + .seconds(315_360_000))
        #expect(try body(0)["refresh_token"] == true)
        #expect(try body(0)["identifier"] == ["type": "m.id.user", "user": "@alice:words.test"])
    }

    @Test("a login goes on with a device, and tells which one it is on")
    func device() async throws {
        server.answer(
            "POST login", .json(200, #"{"user_id":"@alice:words.test","access_token":"a1","device_id":"D"}"#))

        let first = try await users.login(identity: "alice", password: Secret("secret"))
        let second = try await users.login(identity: "alice", password: Secret("secret"), device: first.deviceID)

        #expect(second.deviceID == DeviceID("D"))
        #expect(try body(0)["device_id"] == nil)
        #expect(try body(1)["device_id"] == "D")
    }

    @Test("where the answer to a login says where the server is to be reached, all that follows goes there")
    func wellKnown() async throws {
        let endpoint = HomeserverEndpoint(try ServerAddress("https://one.example"), transport: transport)
        let users = MatrixUsers(connection: ServerConnection(endpoint: endpoint, transport: transport), clock: clock)
        server.answer("GET /_matrix/client/versions", .json(200, #"{"versions":["v1.11"]}"#))
        server.answer(
            "POST login",
            .json(
                200,
                #"{"user_id":"@alice:words.test","access_token":"a1","well_known":{"m.homeserver":{"base_url":"https://two.example"}}}"#
            ))

        _ = try await users.login(identity: "alice", password: Secret("secret"))

        #expect(try await endpoint.baseURL().absoluteString == "https://two.example")
    }

    @Test("a server that takes no passwords says what it offers")
    func noPasswords() async {
        server.answer("POST login", .json(400, #"{"errcode":"M_UNKNOWN","error":"Unknown login type"}"#))
        server.answer("GET login", .json(200, #"{"flows":[{"type":"m.login.sso"}]}"#))

        await #expect(
            throws: UsersError.refused("This server takes no passwords from apps. It offers m.login.sso.")
        ) { try await users.login(identity: "alice", password: Secret("secret")) }
    }

    @Test("a renewal keeps the refresh token where none comes; a refused one ends the session, a fault does not")
    func refresh() async throws {
        server.answer(
            "POST refresh", .json(200, #"{"access_token":"a2","expires_in_ms":1000}"#),
            .json(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Gone"}"#),
            .json(403, #"{"errcode":"M_FORBIDDEN","error":"Used"}"#), .json(502, "<html>"))

        let renewed = try await users.refresh(token)

        #expect(
            renewed == UserToken(accessToken: Secret("a2"), refreshToken: Secret("r1"), expiresAt: start + .seconds(1)))
        #expect(transport.calls[0].authorization == nil)
        await #expect(throws: UsersError.unauthenticated) { try await users.refresh(token) }
        await #expect(throws: UsersError.unauthenticated) { try await users.refresh(token) }
        await #expect(throws: UsersError.network(.serverFault(status: 502))) { try await users.refresh(token) }
    }

    @Test("what has only run out is told from what is over, by the flag")
    func softLogout() async throws {
        let soft = #"{"errcode":"M_UNKNOWN_TOKEN","error":"Expired","soft_logout":true}"#
        server.answer("POST refresh", .json(401, soft))
        server.answer(
            "GET account/whoami", .json(401, soft), .json(401, #"{"errcode":"M_UNKNOWN_TOKEN","soft_logout":false}"#))

        await #expect(throws: UsersError.expired) { try await users.refresh(token) }
        await #expect(throws: UsersError.expired) { try await users.currentUser(token) }
        await #expect(throws: UsersError.unauthenticated) { try await users.currentUser(token) }
    }

    @Test("a new password is proved by the old one; the wrong one is told as that")
    func changePassword() async throws {
        server.answer(
            "POST account/password", .json(401, #"{"session":"s","flows":[{"stages":["m.login.password"]}]}"#),
            .json(401, #"{"errcode":"M_FORBIDDEN","error":"Invalid password","session":"s","flows":[]}"#))

        await #expect(
            throws: UsersError.invalid(
                message: "", fields: ["current_password": ["This is not the current password."]])
        ) { try await users.changePassword(token, current: Secret("old"), new: Secret("new")) }
        let sent = try body(2)
        #expect(sent["auth"]?["password"] == "old" && sent["new_password"] == "new" && sent["logout_devices"] == true)
    }

    @Test("a token that ended is no reason to ask for a password")
    func expiredPassword() async {
        server.answer("POST account/password", .json(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Gone"}"#))

        await #expect(throws: UsersError.unauthenticated) {
            try await users.changePassword(token, current: Secret("old"), new: Secret("new"))
        }
    }
}

@Suite("MatrixUsers: contacts")
struct MatrixContactsTests {
    private let clock = VirtualClock(now: start)
    private let server = StubHomeserver()
    private let transport: StubTransport
    private let state = Locked<ChatState?>(nil)
    private let users: MatrixUsers
    private let token = UserToken(accessToken: Secret("a1"), refreshToken: nil, expiresAt: start + .seconds(60))
    private let direct = "GET user/@alice:words.test/account_data/m.direct"

    init() {
        transport = server.transport
        users = MatrixUsers(
            connection: ServerConnection(endpoint: stubEndpoint, transport: transport), clock: clock
        ) { [state] in state.withLock { $0 } }
    }

    private func written(_ type: String) -> String? {
        transport.calls.last { $0.line.hasPrefix("PUT") && $0.line.hasSuffix(type) }?.body
    }

    private func made() -> Int { transport.lines.count { $0.hasSuffix("createRoom") } }

    private func add(_ identity: String) async throws(UsersError) -> Contact {
        try await users.addContact(token, identity: identity)
    }

    @Test("contacts are the people of the direct chats that one is in, by the names they have")
    func contacts() async throws {
        server.answer(
            direct,
            .json(
                200,
                #"{"@bob:words.test":["!gone:words.test","!two:words.test"],"@cy:words.test":["!gone:words.test"],"x":7}"#
            ))

        let contacts = try await users.contacts(token)

        #expect(contacts == [Contact(user: User(id: 0, name: "Bob", email: nil, chatID: bob), room: Room(id: room))])
    }

    @Test("of several rooms with one person the one counts where they are, then where something happened last")
    func choose() throws {
        var state = ChatState(ownID: alice)
        let (left, old, new) = (RoomID("!left:w"), RoomID("!old:w"), RoomID("!new:w"))
        for (id, membership, time) in [(left, Membership.leave, 9), (old, .join, 1), (new, .join, 2)] {
            var room = RoomState(id: id, membership: .join)
            room.members[bob] = Member(id: bob, displayName: nil, membership: membership)
            room.timeline.items = [
                TimelineItem(
                    id: EventID("$\(id)"), sender: bob, timestamp: Timestamp(milliseconds: Int64(time)),
                    content: .joined(bob))
            ]
            state.rooms[id] = room
        }

        #expect(MatrixUsers.choose([new, old, left], bob, state) == new)
        #expect(MatrixUsers.choose([old, left], bob, state) == old)
        #expect(MatrixUsers.choose([left, RoomID("!unknown:w")], bob, state) == RoomID("!unknown:w"))
        #expect(MatrixUsers.choose([old, new], bob, nil) == new)
        #expect(MatrixUsers.choose([], bob, state) == nil)
    }

    @Test(
        "whoever is added gets a room of two, which both maps are to list",
        arguments: ["bob", "@bob:words.test", " BOB "])
    func adds(identity: String) async throws {
        server.answer(direct, .json(200, #"{"@cy:words.test":["!cy:words.test"]}"#))

        let contact = try await add(identity)

        #expect(
            contact.user.chatID == bob && contact.user.name == "Bob" && contact.room.id == RoomID("!new:words.test"))
        let creation = transport.calls.first { $0.operation == .create }?.body
        #expect(creation == #"{"invite":["@bob:words.test"],"is_direct":true,"preset":"trusted_private_chat"}"#)
        #expect(
            written("m.direct") == #"{"@bob:words.test":["!new:words.test"],"@cy:words.test":["!cy:words.test"]}"#)
    }

    @Test("a room that could not be listed is used by the next try, and no second one made")
    func addsAgain() async throws {
        server.answer(
            "PUT user/@alice:words.test/account_data/m.direct", .json(502, "<html>"), .json(200, "{}"))
        server.answer("GET joined_rooms", .json(200, #"{"joined_rooms":["!new:words.test"]}"#))

        await #expect(throws: UsersError.network(.serverFault(status: 502))) { try await add("bob") }
        let contact = try await add("bob")

        #expect(contact.room.id == RoomID("!new:words.test"))
        #expect(made() == 1)
    }

    @Test(
        "who shares a chat already is refused; who has left it is asked back into it",
        arguments: [("join", 0), ("invite", 0), ("leave", 1)])
    func present(membership: String, invitations: Int) async throws {
        server.answer(direct, .json(200, #"{"@bob:words.test":["!two:words.test"]}"#))
        server.answer(
            "GET rooms/!two:words.test/state/m.room.member/@bob:words.test",
            .json(200, #"{"membership":"\#(membership)"}"#))
        server.answer("POST rooms/!two:words.test/invite", .json(200, "{}"))

        let contact = try? await add("bob")

        #expect((contact?.room.id == room) == (invitations == 1))
        #expect(transport.calls.count { $0.operation == .invite } == invitations)
        #expect(made() == 0)
    }

    @Test("an invitation of theirs is accepted instead of making another room")
    func invited() async throws {
        var invitation = RoomState(id: RoomID("!theirs:words.test"), membership: .invite)
        invitation.isDirect = true
        invitation.inviter = bob
        state.withLock { $0 = ChatState(ownID: alice) }
        state.withLock { $0?.rooms[invitation.id] = invitation }
        server.answer("POST join/!theirs:words.test", .json(200, #"{"room_id":"!theirs:words.test"}"#))

        let contact = try await add("bob")

        #expect(contact.room.id == invitation.id)
        #expect(made() == 0)
    }

    @Test("oneself, nobody, and somebody blocked are refused with the reason")
    func refusals() async throws {
        server.answer(
            "GET user/@alice:words.test/account_data/m.ignored_user_list",
            .json(200, #"{"ignored_users":{"@bob:words.test":{}}}"#))
        server.answer("POST user_directory/search", .json(200, #"{"results":[],"limited":false}"#))

        await #expect(throws: UsersError.refused("This is yourself.")) { try await add("alice") }
        await #expect(throws: UsersError.refused("Nobody here has this address or id.")) { try await add("nobody") }
        await #expect(throws: UsersError.refused("Nobody here has this address or id.")) {
            try await add("@no:words.test")
        }
        await #expect(throws: UsersError.refused("You have blocked this person. Unblock them first.")) {
            try await add("bob")
        }
        await #expect(throws: UsersError.refused(MatrixUsers.wantsUserName)) { try await add("bob@words.test") }
        #expect(made() == 0)
    }

    @Test("the user directory finds people by their names; where several fit, their ids are told")
    func directory() async throws {
        let results =
            #"{"user_id":"@bob:words.test","display_name":"Robert B"},{"user_id":"@rob:words.test","display_name":"Rob"}"#
        server.answer("POST user_directory/search", .json(200, #"{"results":[\#(results)],"limited":false}"#))

        let contact = try await add("robert b")

        #expect(contact.user.chatID == bob)
        await #expect(
            throws: UsersError.refused(
                "Several people could be meant: @bob:words.test, @rob:words.test. Add one of them by the id.")
        ) { try await add("ro b") }
    }

    @Test("who is removed is left in every room, and out of the map")
    func removes() async throws {
        server.answer(
            direct, .json(200, #"{"@bob:words.test":["!two:words.test","!gone:words.test"],"@cy:words.test":[]}"#))
        server.answer("POST rooms/!two:words.test/leave", .json(200, "{}"))

        try await users.removeContact(token, id: bob)

        #expect(transport.calls.count { $0.operation == .remove } == 1)
        #expect(written("m.direct") == #"{"@cy:words.test":[]}"#)
    }

    @Test("blocking adds to the ignored, unblocking takes out, and the others stay")
    func blocks() async throws {
        server.answer(
            "GET user/@alice:words.test/account_data/m.ignored_user_list",
            .json(200, #"{"ignored_users":{"@cy:words.test":{}},"more":1}"#),
            .json(200, #"{"ignored_users":{"@bob:words.test":{},"@cy:words.test":{}}}"#))

        try await users.block(token, id: bob)
        let blocked = written("m.ignored_user_list")
        try await users.unblock(token, id: bob)

        #expect(blocked == #"{"ignored_users":{"@bob:words.test":{},"@cy:words.test":{}},"more":1}"#)
        #expect(written("m.ignored_user_list") == #"{"ignored_users":{"@cy:words.test":{}}}"#)
    }
}
