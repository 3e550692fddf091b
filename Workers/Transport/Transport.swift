import Foundation
import Models

/// The one door to the network. Wrapping it is how faults are put between a client and its server.
public protocol Transport: Sendable {
    /// Sends `request` once and returns whatever HTTP answer came, of any status. Never follows a redirect.
    ///
    /// Throws where no whole answer came within the deadline. A cancelled task gets `interrupted`; the server may have
    /// seen the request all the same.
    func perform(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse
}

/// What a request is for: the name by which faults and diagnostics speak of it.
public enum Operation: String, CaseIterable, Sendable {
    case signup, login, refresh, chatToken = "chat-token", user, rename, password, logout
    case contacts, add, remove, block, unblock
    case discovery, sync, send, messages, join, leave, typing, receipt, presence, profile, members
    case accountData = "account-data"
    case create, alias, invite, kick, forget, state, listing, announce
    case publicRooms = "public-rooms"
    /// One that no scene makes: see `MatrixRequest`.
    case request
}

/// One HTTP request, whole. Its headers may bear a token: it is not to be printed.
public struct TransportRequest: Sendable {
    public var operation: Operation
    public var method: String
    public var url: URL
    public var headers: [(name: String, value: String)]
    public var body: Data?
    /// The longest the whole exchange may take, by the environment's clock.
    public var deadline: Duration

    public init(
        operation: Operation, method: String, url: URL, headers: [(name: String, value: String)] = [],
        body: Data? = nil, deadline: Duration
    ) {
        self.operation = operation
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadline = deadline
    }

    /// The value of the first header of that name, in any case.
    public func header(_ name: String) -> String? { Self.find(name, in: headers) }

    static func find(_ name: String, in headers: [(name: String, value: String)]) -> String? {
        headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }
}

/// One HTTP answer, whole, of any status.
public struct TransportResponse: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: Data

    public init(status: Int, headers: [(name: String, value: String)] = [], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the first header of that name, in any case.
    public func header(_ name: String) -> String? { TransportRequest.find(name, in: headers) }
}
