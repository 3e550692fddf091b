import Foundation
import Models

/// One request of the Matrix client-server API that no scene makes: for scripts and tools, in which it stands for another
/// client of the same person.
public struct MatrixRequest: Equatable, Sendable {
    public var method: String
    /// The parts of the path behind `/_matrix/client/v3`, as they are: they are encoded on the way.
    public var segments: [String]
    public var query: [String: String]
    /// JSON; nil where there is none.
    public var body: String?

    public init(method: String, segments: [String], query: [String: String] = [:], body: String? = nil) {
        self.method = method
        self.segments = segments
        self.query = query
        self.body = body
    }
}

/// What came back, of any status.
public struct MatrixAnswer: Equatable, Sendable {
    public var status: Int
    /// `errcode`; nil where there is none.
    public var code: String?
    /// The server's words to it.
    public var words: RemoteText?

    public init(status: Int, code: String? = nil, words: RemoteText? = nil) {
        self.status = status
        self.code = code
        self.words = words
    }
}

extension MatrixChatService {
    /// Makes `request` with the chat token, which is renewed like that of any other.
    func answer(to request: MatrixRequest) async throws(ChatServiceError) -> MatrixAnswer {
        let body = request.body.map { Data($0.utf8) }
        var call = call(.request, request.segments, request.method, body)
        call.query = request.query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let response = try await exchange(call)
        let failure = Body.decode(MatrixShapes.Failure.self, from: response.body)
        return MatrixAnswer(status: response.status, code: failure?.errcode, words: failure?.error)
    }
}
