import Foundation
import Server

extension ServerProcess {
    /// Synapse as it comes, over SQLite, but for what would keep a load from one address out, and a cheap password hash.
    static func synapse(python: String) throws -> ServerProcess {
        let folder = try makeFolder()
        // One that nobody listens on now: bound for a moment, and given back.
        let port = try HTTPServer(host: "127.0.0.1", port: 0).port
        let configuration = folder.appendingPathComponent("homeserver.yaml")
        try Data(Self.configuration(port: port, folder: folder).utf8).write(to: configuration)
        let module = [python, "-m", "synapse.app.homeserver", "-c", configuration.path]
        let keys = try ChildRun.measure(module + ["--generate-keys"])
        guard keys.status == 0 else { throw BenchError("Synapse makes no keys: \(keys.output.suffix(300))") }
        return try ServerProcess(
            name: "Synapse", command: module, url: "http://127.0.0.1:\(port)", folder: folder)
    }

    private static func configuration(port: UInt16, folder: URL) -> String {
        let free = "{ per_second: 1000000, burst_count: 1000000 }"
        return """
            server_name: localhost
            report_stats: false
            enable_registration: true
            enable_registration_without_verification: true
            bcrypt_rounds: 4
            soft_file_limit: 0
            trusted_key_servers: []
            signing_key_path: "\(folder.path)/signing.key"
            media_store_path: "\(folder.path)/media"
            macaroon_secret_key: "\(UUID().uuidString)"
            registration_shared_secret: "\(UUID().uuidString)"
            form_secret: "\(UUID().uuidString)"
            database: { name: sqlite3, args: { database: "\(folder.path)/homeserver.db" } }
            listeners:
              - { port: \(port), bind_addresses: ["127.0.0.1"], type: http, tls: false, resources: [{ names: [client] }] }
            rc_message: \(free)
            rc_registration: \(free)
            rc_login: { address: \(free), account: \(free), failed_attempts: \(free) }
            rc_joins: { local: \(free), remote: \(free) }
            rc_joins_per_room: \(free)
            rc_invites: { per_room: \(free), per_user: \(free), per_issuer: \(free) }
            rc_presence: { per_user: \(free) }
            rc_room_creation: \(free)
            """
    }
}
