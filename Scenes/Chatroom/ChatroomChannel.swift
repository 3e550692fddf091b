import Models
import Workers

/// What a person does with the channel that is open, and what becomes of it.
extension ChatroomInteractor {
    /// Whether the channel is open no more: one has left it or been removed, or it is deleted. Told once.
    func closes(_ before: RoomState?) -> Bool {
        guard let conversation, let name = conversation.channelName, let room = conversation.room,
            before?.membership == .join || room.isDeleted
        else { return false }
        let reason: Chatroom.Close.Response.Reason
        if room.isDeleted {
            reason = .deleted
        } else if room.membership == .leave || room.membership == .ban {
            reason = isLeaving || conversation.hasLeftByOneself ? .left : .removed
        } else {
            return false
        }
        leave()
        presenter.presentClose(response: Chatroom.Close.Response(reason: reason, name: name))
        return true
    }

    public func act(request: Chatroom.Act.Request) async {
        guard let conversation else { return }
        let result = await result(of: request.kind, conversation)
        var people = conversation.people
        if case .invited(let id) = result, people[id] == nil {
            people[id] =
                contacts.first { $0.user.chatID == id }?.user.name
                ?? conversation.state?.rooms.values.lazy.compactMap { $0.members[id]?.displayName }.first
        }
        presenter.presentAct(
            response: Chatroom.Act.Response(
                kind: request.kind, result: result, name: conversation.channelName ?? "", people: people))
    }

    private func result(
        of kind: Chatroom.Act.Kind, _ conversation: Conversation
    ) async -> Chatroom.Act.Response.Result {
        let isGeneral = conversation.room.map { conversation.state?.isGeneral($0) ?? false } ?? false
        guard conversation.channel != nil else {
            return kind == .confirmDelete || kind == .cancelDelete ? .notAsked : .noChannel
        }
        switch kind {
        case .leave:
            if isGeneral { return .general }
            isLeaving = true
            do { try await chat.leave(conversation.roomID) } catch {
                isLeaving = false
                return .failed(error)
            }
        case .invite(let who): return await invite(who, conversation)
        case .delete:
            if isGeneral { return .general }
            guard conversation.room?.creator == conversation.own.chatID else { return .notCreator }
            isAskingToDelete = true
            return .asking
        case .cancelDelete:
            guard isAskingToDelete else { return .notAsked }
            isAskingToDelete = false
            return .cancelled
        case .confirmDelete:
            guard isAskingToDelete else { return .notAsked }
            isAskingToDelete = false
            do { try await delete(conversation) } catch { return .failed(error) }
        }
        return .done
    }

    /// The news closes the scene, but may not come where the deletion was cut off: that is told here.
    private func delete(_ conversation: Conversation) async throws(ChatError) {
        guard case .unfinished(let error) = try await chat.deleteChannel(conversation.roomID) else { return }
        leave()
        presenter.presentClose(
            response: Chatroom.Close.Response(
                reason: .deleted, name: conversation.channelName ?? "", unfinished: error))
    }

    private func invite(_ who: String, _ conversation: Conversation) async -> Chatroom.Act.Response.Result {
        let ids = people(called: who, conversation)
        guard let id = ids.first else { return .nobody(who) }
        guard ids.count == 1 else { return .ambiguous(who, ids) }
        do { try await chat.invite(id, to: conversation.roomID) } catch { return .failed(error) }
        return .invited(id)
    }

    /// By id; by a contact's e-mail address; by the name of anybody whom one shares a room with.
    private func people(called who: String, _ conversation: Conversation) -> [UserID] {
        if who.hasPrefix("@"), who.dropFirst().contains(":") { return [UserID(who)] }
        let address = AccountChecks.folded(who)
        let byAddress = contacts.filter { $0.user.email?.unsanitised.lowercased() == address }.map(\.user.chatID)
        if !byAddress.isEmpty { return byAddress }
        let wanted = Visible.trimmed(who).lowercased()
        guard !wanted.isEmpty else { return [] }
        var found: Set<UserID> = []
        for contact in contacts where Visible.trimmed(contact.user.name.unsanitised).lowercased() == wanted {
            found.insert(contact.user.chatID)
        }
        for room in conversation.state?.rooms.values ?? [:].values {
            for member in room.members.values {
                let name = member.displayName.map { Visible.trimmed($0.unsanitised).lowercased() }
                if name == wanted, member.id != conversation.own.chatID { found.insert(member.id) }
            }
        }
        return found.sorted()
    }
}
