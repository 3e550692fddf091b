import Foundation
import Models
import Server
import Workers

/// What the options mean, with their defaults.
extension Invocation {
    var dataDirectory: URL { folder("data") ?? Folders().data }

    var home: URL { folder("home") ?? Folders().home }

    /// Columns; nil where nobody has said.
    func width() throws(UsageError) -> Int? { try number("width", in: 20...1_000) }

    /// The server to talk to; nil for this machine's own.
    func serverAddress() throws(UsageError) -> ServerAddress? {
        guard let text = value("server") else { return nil }
        let address = try address(
            text, of: "server",
            form: "a name or a URL, as in words.example, https://words.example or http://127.0.0.1:8000.")
        guard !address.isPlain || has("insecure") else {
            let host = address.url.host ?? "others"
            throw UsageError(
                "Plain http to \(host) lets anyone on the way read along. Use https, or say --insecure.", verb)
        }
        return address
    }

    private func publicURL() throws(UsageError) -> URL? {
        guard let text = value("public-url") else { return nil }
        // A bare name leaves open what clients are to speak.
        let whole = text.contains("://") ? text : ""
        return try address(
            whole, of: "public-url", form: "a URL, as in https://words.example or http://127.0.0.1:8000."
        ).url
    }

    private func address(_ text: String, of option: String, form: String) throws(UsageError) -> ServerAddress {
        do throws(ServerAddress.Fault) { return try ServerAddress(text) } catch {
            switch error {
            case .malformed: throw UsageError("--\(option) takes \(form)", verb)
            case .notPlain:
                throw UsageError(
                    "--\(option) takes a plain URL: no user, no password, nothing behind ? or #.", verb)
            }
        }
    }

    func clientOptions() throws -> ClientOptions {
        ClientOptions(
            clientID: try number("client-id", in: 1...Int(Int32.max)) ?? 2, clientSecret: try clientSecret(),
            allowsInsecure: has("insecure"), generalChannel: has("general-channel"),
            messageLimit: try number("message-limit", in: 1...10_000) ?? ClientOptions().messageLimit)
    }

    func serverConfiguration() throws -> ServerConfiguration {
        var configuration = ServerConfiguration(dataDirectory: dataDirectory)
        configuration.host = value("host") ?? configuration.host
        configuration.port = try number("port", in: UInt16.min...UInt16.max) ?? 8_000
        configuration.serverName = value("server-name")
        configuration.allowedHosts = values("allow-host")
        configuration.publicURL = try publicURL()
        configuration.allowedOrigins = values("allow-origin")
        if let rate = try number("request-rate", in: 0...1_000_000) {
            configuration.rateLimits.requestsPerAccount = .perSecond(rate)
        }
        configuration.clientID = try number("client-id", in: 1...Int(Int32.max)) ?? configuration.clientID
        configuration.clientSecret = try clientSecret()
        return configuration
    }

    private func clientSecret() throws -> Secret? {
        guard let path = value("client-secret-file") else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UsageError("The file \(path) of --client-secret-file cannot be read.", verb)
        }
        let line = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !line.isEmpty else { throw UsageError("The first line of \(path) holds no secret.", verb) }
        return Secret(line)
    }

    private func folder(_ option: String) -> URL? {
        value(option).map { URL(fileURLWithPath: $0, isDirectory: true) }
    }
}
