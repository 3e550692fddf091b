import Foundation
import Models

/// What whoever runs a server may decide.
public struct ServerConfiguration: Sendable {
    /// The folder of the data; made where it is missing.
    public var dataDirectory: URL
    public var host: String
    /// 0 takes any free one.
    public var port: UInt16
    /// The name in all ids, fixed when the database is made: nil takes the one that is stored, `localhost` for a new
    /// database; another than the stored one is refused.
    public var serverName: String?
    /// Names beside the loopback ones, `host` and the server's name by which clients may call the server.
    public var allowedHosts: [String] = []
    /// Where clients find the server, if that is not where it listens: behind a proxy that speaks TLS. Its host may be
    /// called by.
    public var publicURL: URL?
    /// Origins whose web pages may use the server, `*` for all.
    public var allowedOrigins: [String] = []
    /// The client that may use the token endpoint.
    public var clientID = 2
    /// Nil where clients need none.
    public var clientSecret: Secret?
    /// The longest that a long poll is held, by the product's clock.
    public var pollHold: Duration = .seconds(30)
    public var passwordCost: PasswordCost
    public var rateLimits = RateLimits()
    /// What the server puts up with of slow and greedy peers.
    var limits = HTTPLimits()
    var tokenLifetimes = TokenLifetimes()

    public static let defaultServerName = "localhost"

    public init(
        dataDirectory: URL, host: String = "127.0.0.1", port: UInt16 = 0, serverName: String? = nil,
        passwordCost: PasswordCost = .interactive
    ) {
        self.dataDirectory = dataDirectory
        self.host = host
        self.port = port
        self.serverName = serverName
        self.passwordCost = passwordCost
    }
}
