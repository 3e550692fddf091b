import Foundation
import Models
import Server

/// `words passwd EMAIL`: a new password for an account of this machine's server, by whoever may read its data.
@MainActor
struct PasswdCommand {
    private let invocation: Invocation
    private let streams: StandardStreams

    init(_ invocation: Invocation, streams: StandardStreams) {
        self.invocation = invocation
        self.streams = streams
    }

    func run() async throws {
        let configuration = try invocation.serverConfiguration()
        let email = invocation.operands.first ?? ""
        let password = try await newPassword(of: email)
        try await EmbeddedServer.setPassword(email: email, password: password, configuration: configuration)
        streams.say("The new password holds from now on; all sessions of the account have ended.")
    }

    private func newPassword(of email: String) async throws -> Secret {
        guard isatty(STDIN_FILENO) == 1 else {
            guard let line = await InputLines.standardInput().next() else {
                throw Failure(.usage, ["words: There is no password: put it on the first line of the input."])
            }
            return Secret(line)
        }
        guard let line = await HiddenInput.line(prompt: "New password for \(email): ", streams: streams) else {
            throw Failure(.usage, ["", "words: Nothing was changed."])
        }
        return Secret(line)
    }
}
