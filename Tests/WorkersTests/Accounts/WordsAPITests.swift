import Foundation
import JSONMutations
import Models
import Testing

@testable import Workers

@Suite("WordsAPI")
struct WordsAPITests {
    private let clock = VirtualClock(now: start)
    private let token = UserToken(
        accessToken: Secret("a1"), refreshToken: Secret("r1"), expiresAt: start + .seconds(3_600))

    private static let user = #"{"id":7,"name":"Ann","email":"ann@words.test","chatkit_id":"@ann:words.test"}"#
    private static let contact = """
        {"id":8,"name":"Ben","email":null,"chatkit_id":"@ben:words.test","room":{"id":"!r:words.test","name":"Ben",\
        "created_by_id":"@ann:words.test","private":true,"created_at":"2026-01-05T09:00:00.000Z"}}
        """

    private func api(_ status: Int, _ body: String, secret: Secret? = nil) -> (WordsAPI, StubTransport) {
        let transport = StubTransport { _, _ in .success(.json(status, body)) }
        return (words(transport, clock, secret: secret), transport)
    }

    @Test("signing up sends name, address and password, and reads the user")
    func signup() async throws {
        let (api, transport) = api(201, Self.user)

        let user = try await api.signup(name: "Ann", email: "ann@words.test", password: Secret("pässword"))

        #expect(
            user == User(id: 7, name: "Ann", email: "ann@words.test", chatID: UserID("@ann:words.test")))
        #expect(
            transport.calls == [
                StubTransport.Call(
                    operation: .signup, line: "POST /api/users/signup",
                    body: #"{"email":"ann@words.test","name":"Ann","password":"pässword"}"#, authorization: nil)
            ])
    }

    @Test("logging in uses the password grant with client and secret, and reckons the expiry by the clock")
    func login() async throws {
        let (api, transport) = api(
            200, #"{"token_type":"Bearer","expires_in":60,"access_token":"a","refresh_token":"r"}"#,
            secret: Secret("shh"))

        let token = try await api.login(identity: "ann@words.test", password: Secret("pw"))

        #expect(
            token
                == UserToken(
                    accessToken: Secret("a"), refreshToken: Secret("r"), expiresAt: start + .seconds(60)))
        #expect(
            transport.calls.first?.body
                == #"{"client_id":2,"client_secret":"shh","grant_type":"password","password":"pw","username":"ann@words.test"}"#
        )
    }

    @Test("logging in goes on with a device, and tells which one it is on")
    func device() async throws {
        let (api, transport) = api(
            200, #"{"token_type":"Bearer","expires_in":60,"access_token":"a","refresh_token":"r","device_id":"D"}"#)

        let token = try await api.login(identity: "ann@words.test", password: Secret("pw"), device: DeviceID("D"))

        #expect(token.deviceID == DeviceID("D"))
        #expect(transport.calls.first?.body.contains(#""device_id":"D""#) == true)
    }

    @Test(
        "a refused refresh token has run out where the server says so, and is wrong otherwise",
        arguments: [
            (#","soft_logout":true"#, UsersError.expired), (#","soft_logout":false"#, .wrongCredentials("Over.")),
            ("", .wrongCredentials("Over.")),
        ])
    func refusedRefresh(flag: String, expected: UsersError) async {
        let (api, _) = api(400, #"{"error":"invalid_grant","message":"Over."\#(flag)}"#)

        await #expect(throws: expected) { try await api.refresh(token) }
    }

    @Test("a refresh that brings no new refresh token keeps the old one")
    func refresh() async throws {
        let (api, transport) = api(200, #"{"token_type":"Bearer","expires_in":60,"access_token":"a2"}"#)

        let renewed = try await api.refresh(token)

        #expect(renewed.refreshToken == Secret("r1"))
        #expect(transport.calls.first?.body == #"{"client_id":2,"grant_type":"refresh_token","refresh_token":"r1"}"#)
        #expect(transport.calls.first?.authorization == nil)
    }

    @Test("an expiry that is negative or absurd is brought within bounds")
    func expiry() async throws {
        let past = #"{"token_type":"Bearer","expires_in":-5,"access_token":"a"}"#
        let absurd = #"{"token_type":"Bearer","expires_in":9223372036854775807,"access_token":"a"}"#

        let first = try await api(200, past).0.login(identity: "a", password: Secret("b"))
        let second = try await api(200, absurd).0.login(identity: "a", password: Secret("b"))

        #expect(first.expiresAt == start)
        #expect(second.expiresAt == start + .seconds(315_360_000))
    }

    @Test("contacts are read with their rooms; what is optional may be absent")
    func contacts() async throws {
        let (api, transport) = api(200, "[\(Self.contact)]")

        let contacts = try await api.contacts(token)

        let room = Room(
            id: RoomID("!r:words.test"), name: "Ben", createdByID: UserID("@ann:words.test"), isPrivate: true,
            createdAt: start)
        #expect(
            contacts == [
                Contact(user: User(id: 8, name: "Ben", email: nil, chatID: UserID("@ben:words.test")), room: room)
            ])
        #expect(transport.calls.first?.authorization == "Bearer a1")
    }

    @Test("every other call goes to its place, ids encoded, any 2xx accepted")
    func places() async throws {
        let (api, transport) = api(202, Self.contact)
        let odd = UserID("@a/b+c%:words.test")

        _ = try? await api.chatToken(token)
        _ = try await api.addContact(token, identity: "ben@words.test")
        try await api.removeContact(token, id: odd)
        try await api.block(token, id: odd)
        try await api.unblock(token, id: odd)
        try await api.changePassword(token, current: Secret("old"), new: Secret("new"))
        try await api.logout(token)
        _ = try await api.currentUser(token)
        _ = try await api.rename(token, name: "Anna")

        let encoded = "%40a%2Fb%2Bc%25%3Awords.test"
        #expect(
            transport.lines == [
                "POST /api/chatkit/token", "POST /api/contacts", "DELETE /api/contacts/\(encoded)",
                "PUT /api/blocks/\(encoded)", "DELETE /api/blocks/\(encoded)", "PUT /api/user", "POST /api/logout",
                "GET /api/user", "PUT /api/user",
            ])
        #expect(transport.calls[1].body == #"{"user_id":"ben@words.test"}"#)
        #expect(transport.calls[5].body == #"{"current_password":"old","password":"new"}"#)
        #expect(transport.calls[8].body == #"{"name":"Anna"}"#)
    }

    @Test(
        "failures become what they mean",
        arguments: [
            (
                422, #"{"message":"Invalid.","errors":{"email":["Taken."]}}"#,
                UsersError.invalid(message: "Invalid.", fields: ["email": ["Taken."]])
            ),
            (422, #"{"message":"Invalid."}"#, .invalid(message: "Invalid.", fields: [:])),
            (400, #"{"error":"invalid_grant","message":"Wrong."}"#, .wrongCredentials("Wrong.")),
            (400, #"{"error":"unsupported_grant_type","message":"No."}"#, .refused("No.")),
            (401, #"{"message":"Unauthenticated."}"#, .unauthenticated),
            (401, #"{"error":"invalid_client","message":"Unknown client."}"#, .refused("Unknown client.")),
            (401, "<html>", .network(.serverFault(status: 401))),
            (403, #"{"message":"Forbidden."}"#, .refused("Forbidden.")),
            (404, #"{"message":"There is no such contact."}"#, .refused("There is no such contact.")),
            (404, "Not Found", .network(.serverFault(status: 404))),
            (413, #"{"error_description":"Too large."}"#, .refused("Too large.")),
            (500, #"{"message":"Oops."}"#, .network(.serverFault(status: 500))),
            (502, "<html>Bad gateway</html>", .network(.serverFault(status: 502))),
            (302, "", .network(.serverFault(status: 302))),
            (200, "<html>", .network(.serverFault(status: 200))),
            (200, "[]", .network(.serverFault(status: 200))),
            (200, #"{"id":"seven","name":"Ann","chatkit_id":"@ann:words.test"}"#, .network(.serverFault(status: 200))),
            (200, String(repeating: "[", count: 10_000), .network(.serverFault(status: 200))),
            (400, String(repeating: #"{"message":"#, count: 10_000), .network(.serverFault(status: 400))),
        ] as [(Int, String, UsersError)])
    func failures(status: Int, body: String, expected: UsersError) async {
        let (api, _) = api(status, body)

        await #expect(throws: expected) { try await api.currentUser(token) }
    }

    @Test(
        "too many tries say for how long",
        arguments: [
            ("2", Duration.seconds(2)), (" 120 ", .seconds(120)), ("Mon, 05 Jan 2026 09:00:10 GMT", .seconds(10)),
            ("Sun, 04 Jan 2026 09:00:10 GMT", .zero), ("soon", nil), ("-3", nil), (nil, nil),
            ("99999999999", .seconds(86_400)),
        ] as [(String?, Duration?)])
    func limited(header: String?, expected: Duration?) async {
        let transport = StubTransport { _, _ in
            .success(.json(429, "", headers: header.map { [("retry-after", $0)] } ?? []))
        }

        await #expect(throws: UsersError.limited(retryAfter: expected)) {
            try await words(transport, clock).currentUser(token)
        }
    }

    @Test("every field of every answer may be missing, null, mistyped or huge without a crash")
    func mutations() async { await read(Mutations.few, statuses: [200, 422]) }

    /// Reads each kind of answer with one of `values` in one place, under each status.
    func read(_ values: [String], statuses: [Int]) async {
        let token = #"{"token_type":"Bearer","expires_in":60,"access_token":"a","refresh_token":"r","user_id":"@a:b"}"#
        for text in [Self.user, Self.contact, "[\(Self.contact)]", token, #"{"message":"m","errors":{"a":["b"]}}"#] {
            guard let document = try? JSONValue(parsing: Data(text.utf8)) else { continue }
            for mutant in Mutations.all(of: document, values: values) {
                for status in statuses {
                    let (api, _) = api(status, String(decoding: mutant, as: UTF8.self))
                    _ = try? await api.currentUser(self.token)
                    _ = try? await api.contacts(self.token)
                    _ = try? await api.chatToken(self.token)
                    _ = try? await api.login(identity: "a", password: Secret("b"))
                }
            }
        }
    }
}

@Suite("WordsAPI, at length")
struct WordsAPISoakTests {
    @Test("every field of every answer may be missing, null, mistyped or huge without a crash")
    func mutations() async { await WordsAPITests().read(Mutations.plain + Mutations.deep, statuses: [200, 401, 422]) }
}
