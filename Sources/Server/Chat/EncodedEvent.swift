import Models
import SQLite

/// An event as JSON, written once however many people receive it. What differs between receivers (its age, the
/// transaction, the room's id) is added when it is copied into an answer. Client-server API, "Client events".
final class EncodedEvent: Sendable {
    let event: StoredEvent
    /// The members that all receivers see, without braces.
    private let members: [UInt8]
    /// The members of `unsigned` that all receivers see, without braces.
    private let unsigned: [UInt8]

    var position: Int64 { event.position }
    var cost: Int { members.count + unsigned.count + event.content.count + 256 }

    init(_ event: StoredEvent, unsigned: [UInt8]) {
        self.event = event
        self.unsigned = unsigned
        var buffer = JSONBuffer(capacity: event.content.count + 256)
        buffer.name("content")
        buffer.raw(event.content)
        buffer.member("event_id", event.eventID.raw)
        buffer.member("origin_server_ts", event.sentAt.milliseconds)
        if let redacts = event.redacts { buffer.member("redacts", redacts.raw) }
        buffer.member("sender", event.sender.raw)
        if let key = event.stateKey { buffer.member("state_key", key) }
        buffer.member("type", event.type)
        members = buffer.bytes
    }

    /// Writes the event as `viewer` sees it.
    func write(to buffer: inout JSONBuffer, for viewer: Viewer, withRoom: Bool) {
        buffer.object { buffer in
            buffer.raw(members)
            if withRoom { buffer.member("room_id", event.roomID.raw) }
            buffer.name("unsigned")
            buffer.object { buffer in
                buffer.member("age", max(0, (viewer.now - event.sentAt).milliseconds))
                if !unsigned.isEmpty { buffer.raw(unsigned) }
                if let id = event.transactionID, event.sender == viewer.user, event.deviceID == viewer.device {
                    buffer.member("transaction_id", id.raw)
                }
            }
        }
    }

    /// Only what somebody who is invited may see. Client-server API, "Stripped state".
    func writeStripped(to buffer: inout JSONBuffer) {
        buffer.object { buffer in
            buffer.name("content")
            buffer.raw(event.content)
            buffer.member("sender", event.sender.raw)
            buffer.member("state_key", event.stateKey ?? "")
            buffer.member("type", event.type)
        }
    }
}

/// Who looks at events, from where and when.
struct Viewer: Sendable {
    var user: UserID
    var device: DeviceID
    var now: Timestamp
}
