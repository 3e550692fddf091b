import ChildProcesses
import Foundation
import Models
import Testing
import Workers

/// TLS by the system's trust store.
@Suite("TLS with Synapse", .enabled(if: Synapse.isThere))
struct TLSSynapseTests {
    private let folder = TemporaryFolder()

    @Test("a server whose authority this machine does not trust is refused, with the cause and what to do")
    func untrusted() async throws {
        let url = try #require(Synapse.tlsURL)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)

        let result = try await ChildProcess.run(
            ["--server", url.absoluteString, "--width", "400"], input: "login email=alice password=secret-one\n",
            home: folder.url)

        #expect(result.status == 1)
        #expect(result.output.contains("could not prove who it is (SSL certificate problem"))
        #expect(result.output.contains("the authorities that this machine trusts; nothing secret was sent"))
        Interoperability.note("TLS with an authority that the machine does not trust", "refused, with the cause")
    }

    /// A mount namespace of its own gives the process another trust store, and the machine none.
    @Test("with that authority in the system's trust store the same address works")
    func trusted() async throws {
        let url = try #require(Synapse.tlsURL)
        let authority = try #require(Synapse.authority)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let script = folder.url.appendingPathComponent("a.scene")
        try "set deadline=60s\na> signup name=\"A\" email=a@words.test password=secret-one\n  Contacts\n  ...\n".write(
            to: script, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            """
            unshare -rm true 2>/dev/null || exit 77
            exec unshare -rm sh -c 'mount --bind "$1" /etc/ssl/certs/ca-certificates.crt && exec "$2" run --server "$3" "$4"' \
              sh "$@"
            """, "sh", authority, ChildProcess.executable.path, url.absoluteString, script.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let (ends, continuation) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        try process.run()
        var status: Int32 = -1
        for await end in ends { status = end }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)

        #expect(status == 0 || status == 77, "\(text)")
        Interoperability.note(
            "TLS with an authority of one's own in the system's trust store",
            status == 0 ? "works" : "not tried: this machine gives no mount namespace")
    }
}
