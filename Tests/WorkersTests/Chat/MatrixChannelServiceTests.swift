import Foundation
import Models
import Testing

@testable import Workers

@Suite("MatrixChatService: channels")
struct MatrixChannelServiceTests {
    private struct Tokens: ChatTokenSource {
        func chatToken() async throws(UsersError) -> Secret { Secret("t1") }
        func chatToken(insteadOf old: Secret) async throws(UsersError) -> Secret { Secret("t2") }
        func chatToken(afterEndOf old: Secret) async throws(UsersError) -> Secret { throw .unauthenticated }
    }

    private func service(_ status: Int, _ answer: String) throws -> (MatrixChatService, StubTransport) {
        let transport = StubTransport { _, _ in .success(.json(status, answer)) }
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let service = MatrixChatService(
            connection: ServerConnection(endpoint: FixedEndpoint(url), transport: transport), tokens: Tokens(),
            clock: VirtualClock(now: start), ownID: alice)
        return (service, transport)
    }

    private let room = RoomID("!a/b+c%:words.test")
    private let root = "/_matrix/client/v3"
    private let encoded = "%21a%2Fb%2Bc%25%3Awords.test"

    @Test("each request goes to its place, ids and aliases encoded, and says what the specification asks for")
    func places() async throws {
        let (service, transport) = try service(200, ##"{"aliases":["#a:x"],"chunk":[]}"##)

        try await service.invite(bob, to: room)
        try await service.kick(bob, from: room, reason: "gone")
        try await service.forget(room)
        try await service.setState("m.room.join_rules", to: ["join_rule": "invite"], in: room)
        try await service.unlist(room)
        let aliases = try await service.aliases(of: room)
        try await service.removeAlias("#tea time/x:words.test")
        try await service.announce(
            "org.words.channels", ["org.words.deleted_room": "!x"], in: room, transaction: TransactionID("t/1"))

        #expect(aliases == ["#a:x"])
        #expect(
            transport.lines == [
                "POST \(root)/rooms/\(encoded)/invite", "POST \(root)/rooms/\(encoded)/kick",
                "POST \(root)/rooms/\(encoded)/forget", "PUT \(root)/rooms/\(encoded)/state/m.room.join_rules",
                "PUT \(root)/directory/list/room/\(encoded)", "GET \(root)/rooms/\(encoded)/aliases",
                "DELETE \(root)/directory/room/%23tea%20time%2Fx%3Awords.test",
                "PUT \(root)/rooms/\(encoded)/send/org.words.channels/t%2F1",
            ])
        #expect(
            transport.calls.map(\.body) == [
                #"{"user_id":"@bob:words.test"}"#, #"{"reason":"gone","user_id":"@bob:words.test"}"#, "{}",
                #"{"join_rule":"invite"}"#, #"{"visibility":"private"}"#, "", "",
                #"{"org.words.deleted_room":"!x"}"#,
            ])
        #expect(
            transport.calls.map(\.operation) == [
                .invite, .kick, .forget, .state, .listing, .alias, .alias, .announce,
            ])
    }

    @Test("a public room is listed and has its alias, a private one is neither listed nor open")
    func create() async throws {
        let (service, transport) = try service(200, #"{"room_id":"!new:words.test"}"#)

        let open = try await service.createRoom(NewRoom(name: "Tea", alias: "tea"))
        _ = try await service.createRoom(NewRoom(name: "Plans", isPrivate: true))

        #expect(open == RoomID("!new:words.test"))
        #expect(transport.lines == ["POST \(root)/createRoom", "POST \(root)/createRoom"])
        #expect(
            transport.calls.map(\.body) == [
                #"{"name":"Tea","preset":"public_chat","room_alias_name":"tea","visibility":"public"}"#,
                #"{"name":"Plans","preset":"private_chat","visibility":"private"}"#,
            ])
    }

    @Test("a name that is another's is told apart from other refusals")
    func taken() async throws {
        let (service, _) = try service(400, #"{"errcode":"M_ROOM_IN_USE","error":"Taken."}"#)

        await #expect(throws: ChatServiceError.taken("Taken.")) {
            try await service.createRoom(NewRoom(name: "Tea", alias: "tea"))
        }
    }

    @Test("an alias leads to a room, or nowhere; one that cannot be asked for is a failure")
    func alias() async throws {
        let (found, transport) = try service(200, #"{"room_id":"!g:words.test","servers":["far.test",7]}"#)
        let (absent, _) = try service(404, #"{"errcode":"M_NOT_FOUND","error":"No."}"#)
        let (refusing, _) = try service(403, #"{"errcode":"M_FORBIDDEN","error":"No."}"#)

        let room = try await found.room(named: "#general:words.test")
        #expect(room == FoundRoom(id: RoomID("!g:words.test"), servers: ["far.test"]))
        #expect(transport.lines == ["GET \(root)/directory/room/%23general%3Awords.test"])
        #expect(try await absent.room(named: "#general:words.test") == nil)
        try await absent.removeAlias("#general:words.test")
        await #expect(throws: ChatServiceError.forbidden("No.")) { try await refusing.room(named: "#general:x") }
        await #expect(throws: ChatServiceError.forbidden("No.")) { try await refusing.removeAlias("#general:x") }
    }

    @Test("the public list is asked for in large pages, what cannot be read of it passed over")
    func publicRooms() async throws {
        let (service, transport) = try service(
            200,
            """
            {"chunk":[{"room_id":"!a:x","name":"Tea","canonical_alias":"#tea:x","num_joined_members":2,
            "org.words.creator":"@bob:x","org.words.creator_name":"Bob"},{"name":"no id"},7,
            {"room_id":"!b:x","name":3,"num_joined_members":"many"}],"next_batch":"n 1"}
            """)

        let first = try await service.publicRooms(since: nil)
        _ = try await service.publicRooms(since: first.next_batch)

        #expect(
            first.chunk.map(\.room) == [
                PublicRoom(
                    id: RoomID("!a:x"), name: "Tea", alias: "#tea:x", joinedCount: 2, creator: UserID("@bob:x"),
                    creatorName: "Bob"), PublicRoom(id: RoomID("!b:x")),
            ])
        #expect(
            transport.lines == ["GET \(root)/publicRooms?limit=500", "GET \(root)/publicRooms?limit=500&since=n%201"])
    }

    @Test("those who are in a room or invited are present, others are not")
    func presentMembers() async throws {
        let (service, transport) = try service(
            200,
            """
            {"chunk":[{"state_key":"@a:x","content":{"membership":"join"}},
            {"state_key":"@b:x","content":{"membership":"invite"}},
            {"state_key":"@c:x","content":{"membership":"leave"}},{"content":{"membership":"join"}},{"state_key":"@d:x"}]}
            """)

        #expect(try await service.presentMembers(of: room) == [UserID("@a:x"), UserID("@b:x")])
        #expect(transport.lines == ["GET \(root)/rooms/\(encoded)/members"])
    }
}
