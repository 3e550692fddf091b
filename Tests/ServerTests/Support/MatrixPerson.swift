import Foundation
import Models

@testable import Server

/// Somebody who uses the Matrix API's way in.
extension TestServer {
    static let matrix = "/_matrix/client/v3"

    func matrixRegister(
        _ name: String, more: [String: JSONValue] = [:]
    ) async throws -> Answer {
        let body: [String: JSONValue] = [
            "username": .string(name), "password": "longer-pw", "auth": ["type": "m.login.dummy"],
        ]
        return try await client.send(
            "POST", "\(Self.matrix)/register", .object(body.merging(more) { $1 }))
    }

    func matrixLogin(
        _ user: String, password: String = "longer-pw", more: [String: JSONValue] = [:]
    ) async throws -> Answer {
        let body: [String: JSONValue] = [
            "type": "m.login.password", "identifier": ["type": "m.id.user", "user": .string(user)],
            "password": .string(password),
        ]
        return try await client.send("POST", "\(Self.matrix)/login", .object(body.merging(more) { $1 }))
    }

    func whoAmI(_ token: String?) async throws -> Answer {
        try await client.send("GET", "\(Self.matrix)/account/whoami", token: token)
    }
}
