import Foundation

/// Accounts and rooms on a server, made through the Matrix client-server API, so on any homeserver alike.
struct Population {
    struct Account {
        var id: String
        var token: String
    }

    /// What of a sync the benchmarks read.
    struct Synced: Decodable {
        var next_batch: String
    }

    struct CreatedRoom: Decodable {
        var room_id: String
    }

    private struct Registered: Decodable {
        var user_id: String
        var access_token: String
    }

    var accounts: [Account] = []
    var rooms: [String] = []

    /// Signs up that many people. Client-server API, "Account registration" with `m.login.dummy`.
    static func signUp(_ count: Int, _ load: LoadGenerator) throws -> [Account] {
        let run = UInt32.random(in: 0...UInt32.max)
        let calls = (0..<count).map { number in
            HTTPCall.post(
                "/_matrix/client/v3/register", nil,
                #"{"username":"bench-\#(run)-\#(number)","password":"not a secret 1","auth":{"type":"m.login.dummy"}}"#)
        }
        return try load.askEach(calls).map { answer in
            let registered = try answer.decoded(Registered.self)
            return Account(id: registered.user_id, token: registered.access_token)
        }
    }

    /// `people` accounts in `rooms` public rooms, everybody in every room that `isMember` says.
    static func make(
        _ load: LoadGenerator, people: Int, rooms: Int,
        isMember: (_ person: Int, _ room: Int) -> Bool = { _, _ in true }
    ) throws -> Population {
        let accounts = try signUp(people, load)
        guard let owner = accounts.first else { throw BenchError("a population without people") }
        let made = try load.askEach(
            (0..<rooms).map { number in
                .post(
                    "/_matrix/client/v3/createRoom", owner.token,
                    #"{"preset":"public_chat","name":"Room \#(number)"}"#)
            }
        ).map { try $0.decoded(CreatedRoom.self).room_id }
        let joins = made.enumerated().flatMap { number, room in
            accounts.indices.dropFirst().filter { isMember($0, number) }
                .map { HTTPCall.post("/_matrix/client/v3/join/\(encoded(room))", accounts[$0].token) }
        }
        for answer in try load.askEach(joins) where answer.status != 200 {
            throw BenchError("joining a room was answered with \(answer.status)")
        }
        return Population(accounts: accounts, rooms: made)
    }

    /// A path part: `!room:server` has signs that are not to stand in one.
    static func encoded(_ part: String) -> String {
        part.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? part
    }
}

extension HTTPCall {
    /// Client-server API, "Sending events to a room".
    static func message(_ body: String, to room: String, transaction: String, _ token: String) -> HTTPCall {
        .put(
            "/_matrix/client/v3/rooms/\(Population.encoded(room))/send/m.room.message/\(transaction)", token,
            #"{"msgtype":"m.text","body":"\#(body)"}"#)
    }
}
