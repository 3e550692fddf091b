import Models
import Workers

/// Errors and events in words for people: what happened, to what, what to do next.
enum Wording {
    /// - Parameter what: What happened to which file.
    static func unreadableSession(_ what: String) -> RemoteText {
        "The stored session could not be read: \(what). Sign in again to replace it."
    }

    /// What people type to say which account is theirs.
    static func identity(_ identities: AccountIdentities) -> String {
        switch identities {
        case .emailAddresses: "The e-mail address"
        case .userNames: "The user name"
        }
    }

    static func reason(_ reason: Login.Reason) -> RemoteText {
        switch reason {
        case .sessionEnded: "The server has ended your session. Sign in again."
        case .sessionExpired:
            "Your sign-in has expired. Sign in again: what is here, and what is not sent yet, is kept."
        }
    }

    /// Another try follows by itself.
    static func waiting(_ wait: Duration) -> RemoteText {
        "Too many tries: trying again in \(duration(wait))."
    }

    static func banner(_ connection: Connection, _ dayText: DayText) -> Banner {
        switch connection {
        case .connecting: Banner(kind: .connecting, text: "Connecting …")
        case .online: Banner(kind: .online)
        case .ended: Banner(kind: .ended, text: "The session is over.")
        case .offline(let fault, let retryAt):
            if let retryAt {
                Banner(
                    kind: .offline,
                    text: "Offline: \(explain(fault).reason). Trying again at \(dayText.timeWithSeconds(retryAt)).")
            } else {
                Banner(kind: .offline, text: "Offline: \(explain(fault).reason).")
            }
        }
    }
}

extension Wording {
    static func unclear(_ choice: ListContacts.ChosenContact) -> RemoteText {
        switch choice {
        case .found(let id, _, _): "\(id)"
        case .nobody(let text) where !Visible.hasAnything(text): "Say who: a name, an id or the number of a row."
        case .nobody(let text): "No contact goes by \"\(text)\". Type a name as shown, an id or the number of a row."
        case .ambiguous(let text, let ids):
            "Several contacts could be \"\(text)\": \(ids.map(\.raw).joined(separator: ", ")). Type the id."
        case .noSuchRow(let number, let count):
            count == 0
                ? "There is no contact \(number): there are none yet."
                : "There is no contact \(number): the last is \(count)."
        }
    }

    static func logout(_ step: ListContacts.Logout.Response.Step) -> ListContacts.Logout.ViewModel {
        switch step {
        case .confirm(let unsent):
            let loss: RemoteText? =
                switch unsent {
                case 0: nil
                case 1: "1 message has not been sent and will be lost."
                default: "\(unsent) messages have not been sent and will be lost."
                }
            return .init(step: .confirm, title: "You are about to log out", message: loss)
        case .cancelled: return .init(step: .cancelled, title: "You are still logged in")
        case .notAsked: return .init(step: .notAsked, title: "There is nothing to confirm")
        case .loggedOut(.complete): return .init(step: .loggedOut, title: "You are logged out")
        case .loggedOut(.localOnly):
            return .init(
                step: .loggedOut, title: "You are logged out",
                notice: """
                    You are logged out here. The server could not be told and still holds the session until it expires.
                    """)
        }
    }
}

extension Wording {
    /// What is shown of a message.
    static func body(of message: Message) -> RemoteText {
        message.kind == .encrypted ? "(encrypted: Words cannot show this message)" : message.body
    }

    static func refusal(_ refusal: Chatroom.SendRefusal, contact: RemoteText) -> RemoteText {
        switch refusal {
        case .otherHasLeft: "\(contact) has left, so nothing can be sent. Add them again to go on."
        case .stillLoading: "still loading"
        case .encrypted: "This conversation is encrypted. Words cannot do that, so nothing is sent from here."
        case .replaced: "This conversation goes on in another room. Go back and open it again."
        case .notJoined: "You are not in this channel. Go back and open it again to join it."
        case .notMember: "You are not in this conversation any more. Add \(contact) again to go on."
        }
    }

    /// Of a channel's deletion that was cut off.
    static func unfinished(_ name: RemoteText, _ error: ChatError) -> RemoteText {
        let reason = explain(error).reason
        return "\(name) is deleted, but not everybody has been removed yet: \(reason). That is finished by itself."
    }

    /// How many control characters were taken out of a message; nil for none.
    static func removed(_ count: Int) -> RemoteText? {
        switch count {
        case 0: nil
        case 1: "1 control character was taken out before sending."
        default: "\(count) control characters were taken out before sending."
        }
    }

    /// Who is typing, by name; nil while nobody is.
    static func typing(_ names: [RemoteText]) -> RemoteText? {
        switch names.count {
        case 0: nil
        case 1: "\(names[0]) is typing"
        case 2: "\(names[0]) and \(names[1]) are typing"
        default: "\(names[0]) and \(names.count - 1) others are typing"
        }
    }

    static func standing(_ membership: Membership) -> String {
        switch membership {
        case .join: "joined"
        case .invite: "invited"
        case .leave: "has left"
        case .ban: "banned"
        case .knock: "asks to join"
        }
    }
}
