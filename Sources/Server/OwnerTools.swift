import CMicrohttpd
import Foundation
import Models

/// What the owner of a server does from the command line.
extension EmbeddedServer {
    /// Gives the account with this address a new password, and ends all its sessions.
    ///
    /// While a server runs on these data it is asked to do so; otherwise the database is opened for it. Throws
    /// `noSuchAccount` and `password` beside what keeps the data from being used.
    public static func setPassword(
        email: String, password: Secret, configuration: ServerConfiguration
    ) async throws(ServerError) {
        if let problem = AccountRules.problem(password: password) { throw .password(problem) }
        let folder = configuration.dataDirectory
        if let endpoint = DataFolder.endpoint(in: folder) {
            return try await OwnerClient.setPassword(email: email, password: password, at: endpoint)
        }
        guard FileManager.default.fileExists(atPath: folder.path) else { throw .noSuchAccount }
        let server = try EmbeddedServer(configuration: configuration, environment: .live())
        let failure: ServerError?
        do {
            try await server.accounts.setPassword(password, ofEmail: email)
            failure = nil
        } catch AccountError.noSuchAccount {
            failure = .noSuchAccount
        } catch {
            failure = .database(path: folder.path, reason: "\(error)")
        }
        await server.stop()
        if let failure { throw failure }
    }
}

/// Asks a running server on this machine, over the socket that it has published for its owner.
private enum OwnerClient {
    static func setPassword(
        email: String, password: Secret, at endpoint: DataFolder.Endpoint
    ) async throws(ServerError) {
        let body = HTTPResponse.json(200, OwnerRoutes.NewPassword(email: email, password: password)).body
        let head = """
            PUT \(OwnerRoutes.passwordPath) HTTP/1.1\r
            Host: localhost\r
            Connection: close\r
            Authorization: Bearer \(endpoint.ownerKey.reveal())\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            \r

            """
        let status = await withCheckedContinuation { (continuation: CheckedContinuation<Int?, Never>) in
            Thread { continuation.resume(returning: Self.status(of: Data(head.utf8) + body, at: endpoint.url)) }.start()
        }
        switch status {
        case 204: return
        case 404: throw .noSuchAccount
        default:
            throw .database(
                path: endpoint.url.absoluteString,
                reason: "the running server did not take the new password (status \(status ?? 0))")
        }
    }

    /// Sends `request` and reads the status of the answer; nil where there is none.
    private static func status(of request: Data, at url: URL) -> Int? {
        guard let host = url.host(percentEncoded: false), let port = url.port else { return nil }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else { return nil }
        let sent = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent == request.count else { return nil }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while answer.count < 12 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            answer += buffer.prefix(count)
        }
        let words = String(decoding: answer.prefix(64), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1].prefix(3)) : nil
    }
}

/// For scripts and tests: what time or an owner would do to a session.
extension EmbeddedServer {
    /// Makes the tokens of one kind expire now, in all sessions of the person with this address or Matrix id.
    public func expireTokens(_ kind: TokenKind, of identity: String) async throws(ServerError) {
        do { try await accounts.expireTokens(kind.stored, of: identity) } catch AccountError.noSuchAccount {
            throw .noSuchAccount
        } catch {
            throw .database(path: database.path, reason: "\(error)")
        }
    }

    public enum TokenKind: String, Sendable, CaseIterable {
        /// The Words API's access token.
        case user
        case chat
        case refresh

        var stored: Authenticated.TokenKind {
            switch self {
            case .user: .access
            case .chat: .chat
            case .refresh: .refresh
            }
        }
    }
}
