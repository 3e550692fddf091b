import Models
import Workers

/// What a person asks for.
extension ChatroomInteractor {
    public func send(request: Chatroom.Send.Request) async {
        guard let conversation else { return }
        let message = OutgoingText(request.text)
        var response = Chatroom.Send.Response(
            removed: message.removed, contactID: conversation.contact?.user.chatID, people: conversation.people)
        if let refusal = conversation.refusal {
            response.fault = .refused(refusal)
        } else if message.isEmpty {
            response.fault = .chat(.empty)
        } else if conversation.channel != nil, message.text.count > messageLimit {
            response.fault = .tooLong(count: message.text.count, limit: messageLimit)
        } else {
            do { try await chat.send(message.text, to: conversation.roomID) } catch { response.fault = .chat(error) }
        }
        guard !isOver else { return }
        presenter.presentSend(response: response)
    }

    public func showOlder(request: Chatroom.Older.Request) async {
        guard let conversation else { return }
        let oldest = conversation.messages.items.first?.id
        var failure: ChatError?
        if conversation.isWorthFetchingOlder {
            do { try await loadOlderMessages() } catch { failure = error }
        }
        guard !isOver, let fetched = self.conversation else { return }
        let result: Chatroom.Older.Response.Result
        if fetched.hasMoreKnown || fetched.messages.items.first?.id != oldest {
            self.conversation?.showMore()
            result = .shown(self.conversation?.messages ?? fetched.messages, from: oldest)
        } else {
            result = failure.map { .failed($0) } ?? .nothingOlder
        }
        presenter.presentOlder(response: Chatroom.Older.Response(result: result))
        presentMessages()
    }

    /// Fetches until an older message is known or the server has nothing older; gives up after some pages without any.
    private func loadOlderMessages() async throws(ChatError) {
        guard let roomID = conversation?.roomID else { return }
        let before = conversation?.messageCount
        for _ in 0..<10 where !isOver {
            let hasMore = try await chat.loadOlder(in: roomID)
            await takeCurrentState()
            if !hasMore || conversation?.messageCount != before { return }
        }
    }

    public func retry(request: Chatroom.Retry.Request) async {
        guard let conversation else { return }
        let count = conversation.timeline.outgoing.count(where: \.canBeRetried)
        if count > 0 { await chat.retry(in: conversation.roomID) }
        guard !isOver else { return }
        presenter.presentRetry(response: Chatroom.Retry.Response(count: count))
    }

    public func typed(request: Chatroom.Typing.Request) async {
        guard let conversation, conversation.refusal == nil, !isOver else { return }
        await chat.typed(in: conversation.roomID)
    }

    public func measure(request: Chatroom.Draft.Request) async {
        guard conversation?.channel != nil, !isOver else { return }
        let count = OutgoingText(request.text).text.count
        let isNear = count * 256 >= messageLimit * 200
        guard isNear || isCounting else { return }
        isCounting = isNear
        presenter.presentDraft(response: Chatroom.Draft.Response(count: count, limit: messageLimit, isNear: isNear))
    }

    public func markRead(request: Chatroom.Read.Request) async {
        guard let conversation else { return }
        if isOnTop { await chat.markRead(conversation.roomID) }
        presenter.presentRead(response: Chatroom.Read.Response(isOnTop: isOnTop))
    }

    public func listMembers(request: Chatroom.Members.Request) async {
        guard let conversation else { return }
        presenter.presentMembers(response: conversation.members)
    }
}

extension OutgoingMessage {
    fileprivate var canBeRetried: Bool {
        switch state {
        case .waiting, .failed: true
        case .sending, .sent: false
        }
    }
}
