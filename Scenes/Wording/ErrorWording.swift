import Models
import Workers

/// Turns every error of the layers below into words. The one place that does.
extension Wording {
    /// Why, and what to do next.
    struct Explanation: Equatable {
        /// Ends a sentence that began with what happened; no full stop.
        var reason: RemoteText
        /// A sentence.
        var advice: String?
    }

    /// What stands before the reason why the store fails.
    static let notKept: RemoteText = "Not all is kept on this machine"

    /// - Parameter what: What did not happen, without a full stop: `Bob was not added`.
    static func failure(_ what: RemoteText, _ explanation: Explanation) -> RemoteText {
        let line: RemoteText = "\(what): \(ended(explanation.reason))"
        guard let advice = explanation.advice else { return line }
        return "\(line) \(advice)"
    }

    static func explain(_ error: UsersError) -> Explanation {
        switch error {
        case .invalid(let message, let fields):
            let details = fields.sorted { $0.key < $1.key }.flatMap(\.value).filter { !$0.isEmpty }
            return Explanation(reason: details.isEmpty ? spoken(message) : joined(details))
        case .wrongCredentials(let words):
            return Explanation(
                reason: words.isEmpty ? "the name or the password is wrong" : words,
                advice: "Check both and try again.")
        case .unauthenticated: return Explanation(reason: "the session is over", advice: "Sign in again.")
        case .expired: return Explanation(reason: "the sign-in has expired", advice: "Sign in again.")
        case .refused(let words): return Explanation(reason: spoken(words))
        case .limited(let wait): return explain(NetworkFault.limited(retryAfter: wait))
        case .network(let fault): return explain(fault)
        case .noSession: return Explanation(reason: "nobody is signed in here", advice: "Sign in first.")
        case .storage(let what):
            return Explanation(
                reason: RemoteText(what), advice: "Check the disk and who may write there, then try again.")
        }
    }

    static func explain(_ error: ChatError) -> Explanation {
        switch error {
        case .notConnected:
            Explanation(reason: "the chat service is not connected", advice: "Try again once it is online.")
        case .unknownRoom:
            Explanation(reason: "the conversation is not known here yet", advice: "Try again in a moment.")
        case .notMember:
            Explanation(reason: "you are not in this conversation any more", advice: "Add the contact again.")
        case .taken: Explanation(reason: "the name is taken", advice: "Choose another one.")
        case .notCreator: Explanation(reason: "only who made it may do that")
        case .tooLarge(let limit):
            Explanation(
                reason: "it exceeds the \(limit) bytes that a message may have", advice: "Send it in parts.")
        case .empty: Explanation(reason: "there is nothing in it to be seen", advice: "Type something.")
        case .refused(let words): Explanation(reason: spoken(words))
        case .sessionEnded: Explanation(reason: "the session is over", advice: "Sign in again.")
        case .sessionExpired: explain(UsersError.expired)
        case .network(let fault): explain(fault)
        case .storage(let what): Explanation(reason: RemoteText(what))
        }
    }

    static func explain(_ failure: SendFailure) -> Explanation {
        switch failure {
        case .tooLarge: Explanation(reason: "it is larger than the server takes", advice: "Send it in parts.")
        case .refused(let words): Explanation(reason: spoken(words))
        case .notMember: explain(ChatError.notMember)
        case .sessionEnded: explain(ChatError.sessionEnded)
        }
    }

    static func explain(_ fault: NetworkFault) -> Explanation {
        switch fault {
        case .unreachable:
            Explanation(reason: "the server cannot be reached", advice: "Check the connection and try again.")
        case .timedOut: Explanation(reason: "the server did not answer in time", advice: "Try again.")
        case .interrupted:
            Explanation(reason: "the connection broke before the answer was whole", advice: "Try again.")
        case .limited(let wait):
            if let wait {
                Explanation(reason: "there were too many tries", advice: "Try again in \(duration(wait)).")
            } else {
                Explanation(reason: "there were too many tries", advice: "Try again in a while.")
            }
        case .serverFault(let status):
            Explanation(reason: "the server has a fault (status \(status))", advice: "Try again later.")
        case .untrusted(let cause):
            Explanation(
                reason: "the server could not prove who it is (\(cause))",
                advice: "Check the address and the authorities that this machine trusts; nothing secret was sent.")
        case .noChatServer(let what): Explanation(reason: what, advice: "Check the address of the server.")
        }
    }

    static func explain(_ fault: FieldFault, of field: String) -> RemoteText {
        switch fault {
        case .missing: "\(field) is required."
        case .tooLong(let limit): "\(field) may have at most \(limit) characters."
        case .malformedEmail: "\(field) must look like name@example.org."
        case .malformedUserName: "\(field) must look like name: of a-z, 0-9 or ._=-/+"
        case .address: "This server uses user names, not addresses."
        case .length(let range):
            "\(field) must have \(grouped(range.lowerBound)) to \(grouped(range.upperBound)) bytes."
        }
    }

    /// Whole seconds, rounded up; minutes from two on.
    static func duration(_ duration: Duration) -> String {
        let seconds = max(1, duration.milliseconds / 1_000 + (duration.milliseconds % 1_000 > 0 ? 1 : 0))
        if seconds == 1 { return "1 second" }
        return seconds < 120 ? "\(seconds) seconds" : "\((seconds - 1) / 60 + 1) minutes"
    }

    private static func grouped(_ number: Int) -> String {
        number < 1_000 ? String(number) : "\(number / 1_000),\(String(number % 1_000 + 1_000).dropFirst())"
    }

    private static func spoken(_ words: RemoteText) -> RemoteText {
        Visible.hasAnything(words.unsanitised) ? words : "the server refuses and does not say why"
    }

    private static func joined(_ texts: [RemoteText]) -> RemoteText {
        RemoteText(texts.map { ended($0).unsanitised }.joined(separator: " "))
    }

    private static func ended(_ text: RemoteText) -> RemoteText {
        guard let last = text.unsanitised.unicodeScalars.last, ".!?…".unicodeScalars.contains(last) else {
            return "\(text)."
        }
        return text
    }
}
