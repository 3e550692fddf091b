import Models

/// Invitations that have been accepted.
extension ChatWorker {
    /// Says of each of `rooms`, which are to be applied yet, that becomes one's own that the invitation has been seen.
    /// Synapse goes on counting it among what is unread, beside what was said since, until something in the room has been
    /// read; on a Words server an invitation counts for nothing.
    func acknowledgeInvitations(in rooms: MatrixShapes.SyncRooms) {
        guard facts.kind() == .matrix, let connection = connected else { return }
        for room in rooms.joined where connection.ledger.state.rooms[room.id]?.membership == .invite {
            let events = room.news.state + room.news.timeline.events
            guard let join = events.last(where: { $0.isJoin(of: connection.ownID) })?.event_id else { continue }
            environment.activity.run("receipt") { [service = connection.service] in
                // One that is lost is made good by the first look at the room.
                try? await service.markReadPrivately(join, in: room.id)
            }
        }
    }
}

extension MatrixShapes.Event {
    fileprivate func isJoin(of person: UserID) -> Bool {
        type == "m.room.member" && state_key == person.raw && content.membership == .join
    }
}
