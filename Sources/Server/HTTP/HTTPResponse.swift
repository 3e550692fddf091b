import Foundation

/// One answer, whole.
package struct HTTPResponse: Sendable {
    var status: Int
    var headers: [(String, String)]
    var body: Data

    package init(status: Int, headers: [(String, String)] = [], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// JSON that is already serialised.
    package static func json(_ status: Int, data: Data) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")], body: data)
    }

    /// Keys are in order, so that the same value is always the same bytes. A value that cannot be encoded is a fault
    /// inside and answered 500.
    static func json(_ status: Int, _ value: some Encodable) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            return json(500, data: Data(#"{"message":"The server could not write its answer."}"#.utf8))
        }
        return json(status, data: data)
    }

    /// `{}`, the usual answer of Matrix to what succeeded.
    package static var emptyObject: HTTPResponse { json(200, data: Data("{}".utf8)) }

    static var noContent: HTTPResponse { HTTPResponse(status: 204) }
}

/// Answers requests.
package protocol HTTPHandler: Sendable {
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

/// An error that knows how it is answered.
protocol ResponseError: Error {
    var response: HTTPResponse { get }
}
