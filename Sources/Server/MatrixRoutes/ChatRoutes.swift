import Foundation
import Models

/// The parts of the Matrix API that are about rooms, events and people.
struct ChatRoutes: Sendable {
    let chat: Chat
    let authenticator: any Authenticating

    func add(to router: inout Router) {
        addRooms(to: &router)
        addMembership(to: &router)
        addEvents(to: &router)
        addHistory(to: &router)
        addDirectory(to: &router)
        addPeople(to: &router)
        addReceipts(to: &router)
        addAccountData(to: &router)
        addSync(to: &router)
        addStubs(to: &router)
    }

    /// Somebody's request, once it is known whose it is.
    struct Call: Sendable {
        var request: HTTPRequest
        var path: PathParameters
        var who: Authenticated
        var now: Timestamp

        var user: UserID { who.userID }
        var viewer: Viewer { Viewer(user: who.userID, device: who.deviceID, now: now) }
        var room: RoomID { RoomID(path["roomId"]) }

        /// The body as it was written. Throws `M_NOT_JSON` where there is none.
        func object(numbers: JSONScanner.Numbers = .integersOnly) throws(MatrixError) -> RawObject {
            try RawObject(matrix: request.body, numbers: numbers)
        }

        /// The fields of the body; an empty body is an empty object.
        func body() throws(MatrixError) -> MatrixBody { try MatrixBody(request) }

        /// The number of the query parameter `name`, within `range`; `fallback` where it is absent.
        func number(
            _ name: String, default fallback: Int, in range: ClosedRange<Int>
        ) throws(MatrixError) -> Int {
            guard let number = try request.number(name) else { return fallback }
            return min(max(number, range.lowerBound), range.upperBound)
        }
    }

    typealias Handler = @Sendable (Call) async throws -> HTTPResponse

    /// Adds a route that needs to know who asks. `pattern` follows `/_matrix/client/v3`.
    func add(_ router: inout Router, _ method: String, _ pattern: String, _ handler: @escaping Handler) {
        router.addMatrix(method, pattern) { request, path in
            let who = try await authenticator.matrixUser(request)
            return try await Self.answering {
                try await handler(Call(request: request, path: path, who: who, now: chat.environment.clock.now))
            }
        }
    }

    /// Adds a route that anybody may use. Whoever gives a token is told where it is not good, or where their account asks
    /// too much, and not taken for a stranger.
    func addOpen(
        _ router: inout Router, _ method: String, _ pattern: String,
        _ handler: @escaping @Sendable (HTTPRequest, PathParameters, Authenticated?) async throws -> HTTPResponse
    ) {
        router.addMatrix(method, pattern) { request, path in
            let who = try await authenticator.matrixUserOrStranger(request)
            return try await Self.answering { try await handler(request, path, who) }
        }
    }

    /// Puts failures of the database into the words of this API.
    static func answering(_ work: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do { return try await work() } catch let error as DatabaseError {
            throw MatrixError(500, "M_UNKNOWN", error.description)
        }
    }
}

extension HTTPRequest {
    /// The number of the query parameter `name`; nil where it is absent or empty. Throws `M_INVALID_PARAM` where it is no
    /// whole number from 0 on.
    func number(_ name: String) throws(MatrixError) -> Int? {
        guard let text = query(name), !text.isEmpty else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .invalidParameter("\(name) has to be a whole number, 0 or more.")
        }
        return number
    }

    /// Whether the query parameter `name` is true; false where it is absent. Throws `M_INVALID_PARAM` where it is neither
    /// true nor false.
    func flag(_ name: String) throws(MatrixError) -> Bool {
        switch query(name) {
        case "true": return true
        case "false", "", nil: return false
        default: throw .invalidParameter("\(name) is either true or false.")
        }
    }
}
