import Models
import Testing
import Workers

@testable import Scenes

@Suite("Wording of errors")
struct ErrorWordingTests {
    private func line(_ error: UsersError) -> RemoteText {
        Wording.failure("Bob was not added", Wording.explain(error))
    }

    private func line(_ error: ChatError) -> RemoteText {
        Wording.failure("The message was not sent", Wording.explain(error))
    }

    @Test(
        "an account error says what happened, why and what to do next",
        arguments: [
            (UsersError.network(.unreachable), "the server cannot be reached. Check the connection and try again."),
            (.network(.timedOut), "the server did not answer in time. Try again."),
            (.network(.interrupted), "the connection broke before the answer was whole. Try again."),
            (.network(.serverFault(status: 502)), "the server has a fault (status 502). Try again later."),
            (
                .network(.untrusted(cause: "expired")),
                """
                the server could not prove who it is (expired). Check the address and the authorities that this machine \
                trusts; nothing secret was sent.
                """
            ),
            (.limited(retryAfter: .seconds(45)), "there were too many tries. Try again in 45 seconds."),
            (.limited(retryAfter: .milliseconds(1)), "there were too many tries. Try again in 1 second."),
            (.network(.limited(retryAfter: .seconds(601))), "there were too many tries. Try again in 11 minutes."),
            (.limited(retryAfter: nil), "there were too many tries. Try again in a while."),
            (.unauthenticated, "the session is over. Sign in again."),
            (.expired, "the sign-in has expired. Sign in again."),
            (.noSession, "nobody is signed in here. Sign in first."),
            (
                .wrongCredentials("The user credentials were incorrect."),
                "The user credentials were incorrect. Check both and try again."
            ),
            (.wrongCredentials(""), "the name or the password is wrong. Check both and try again."),
            (.refused("They have blocked you."), "They have blocked you."),
            (.refused("\u{200B}"), "the server refuses and does not say why."),
            (
                .storage("session.json could not be written: disk full"),
                "session.json could not be written: disk full. Check the disk and who may write there, then try again."
            ),
            (.invalid(message: "Invalid.", fields: [:]), "Invalid."),
            (.invalid(message: "", fields: [:]), "the server refuses and does not say why."),
            (
                .invalid(message: "Invalid.", fields: ["user_id": ["Nobody has that address"], "a": ["First!"]]),
                "First! Nobody has that address."
            ),
        ])
    func users(_ error: UsersError, _ expected: String) {
        #expect(line(error) == "Bob was not added: \(expected)")
    }

    @Test(
        "a chat error says what happened, why and what to do next",
        arguments: [
            (ChatError.notConnected, "the chat service is not connected. Try again once it is online."),
            (.unknownRoom, "the conversation is not known here yet. Try again in a moment."),
            (.notMember, "you are not in this conversation any more. Add the contact again."),
            (.tooLarge(limit: 60_000), "it exceeds the 60000 bytes that a message may have. Send it in parts."),
            (.empty, "there is nothing in it to be seen. Type something."),
            (.refused("No."), "No."),
            (.sessionEnded, "the session is over. Sign in again."),
            (.sessionExpired, "the sign-in has expired. Sign in again."),
            (.network(.unreachable), "the server cannot be reached. Check the connection and try again."),
        ])
    func chat(_ error: ChatError, _ expected: String) {
        #expect(line(error) == "The message was not sent: \(expected)")
    }

    @Test(
        "each reason for a message to fail has its words",
        arguments: [
            (SendFailure.tooLarge, "it is larger than the server takes"), (.refused("No."), "No."),
            (.notMember, "you are not in this conversation any more"), (.sessionEnded, "the session is over"),
        ])
    func send(_ failure: SendFailure, _ expected: String) {
        #expect(Wording.explain(failure).reason == RemoteText(expected))
    }

    @Test(
        "a field says what it must be",
        arguments: [
            (FieldFault.missing, "The name is required."),
            (.tooLong(limit: 255), "The name may have at most 255 characters."),
            (.malformedEmail, "The name must look like name@example.org."),
            (.length(6...1_024), "The name must have 6 to 1,024 bytes."),
        ])
    func field(_ fault: FieldFault, _ expected: String) {
        #expect(Wording.explain(fault, of: "The name") == RemoteText(expected))
    }
}
