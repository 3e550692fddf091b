import Models
import Workers

/// What a person asks for.
extension ListChannelsInteractor {
    static let nameLimit = 64

    public func createChannel(request: ListChannels.Create.Request) async {
        let name = Visible.trimmed(OutgoingText(request.name).text)
        var response = ListChannels.Create.Response(name: name)
        if let fault = fault(of: name) {
            response.fault = fault
        } else {
            do { response.roomID = try await chat.createChannel(name, isPrivate: request.isPrivate) } catch {
                guard !ends(error) else { return }
                if case .taken = error { response.fault = .taken } else { response.fault = .chat(error) }
            }
        }
        guard !isOver else { return }
        presenter.presentCreate(response: response)
    }

    /// Names that this person can see are compared here; that of a public channel the server compares, too.
    private func fault(of name: String) -> ListChannels.CreateFault? {
        if !Visible.hasAnything(name) { return .missing }
        if name.count > Self.nameLimit { return .tooLong(limit: Self.nameLimit) }
        let folded = NameFolding(environment.locale).folded(Visible.trimmed(name))
        if folded.split(whereSeparator: \.isWhitespace).joined(separator: " ") == "general channel" { return .reserved }
        return roster?.named(name).isEmpty == false ? .taken : nil
    }

    public func act(request: ListChannels.Act.Request) async {
        var response = ListChannels.Act.Response(
            kind: request.kind, chosen: roster?.choose(request.which) ?? .none(request.which))
        if case .found(let channel) = response.chosen {
            response.fault = fault(of: request.kind, channel)
            if response.fault == nil {
                if request.kind == .delete {
                    question = .delete(channel)
                    return presenter.presentConfirmation(response: ListChannels.Confirmation.Response(channel: channel))
                }
                do { try await carryOut(request.kind, channel.id) } catch {
                    guard !ends(error) else { return }
                    response.fault = .chat(error)
                }
            }
        }
        guard !isOver else { return }
        presenter.presentAct(response: response)
    }

    private func fault(of kind: ListChannels.Act.Kind, _ channel: ListChannels.ChannelStanding) -> ListChannels
        .ActFault?
    {
        switch kind {
        case .join: channel.kind == .invited ? .isInvited : nil
        case .accept, .decline: channel.kind == .invited ? nil : .notInvited
        case .delete:
            if channel.isGeneral { .general } else { channel.creator == roster?.ownID ? nil : .notCreator }
        }
    }

    private func carryOut(_ kind: ListChannels.Act.Kind, _ room: RoomID) async throws(ChatError) {
        switch kind {
        case .join, .accept: try await chat.join(room)
        case .decline: try await chat.leave(room)
        case .delete: break
        }
    }

    public func selectChannel(request: ListChannels.Select.Request) async {
        let chosen = roster?.choose(request.which) ?? .none(request.which)
        if case .found(let channel) = chosen { choose(channel) } else { choose(nil) }
        presenter.presentSelect(response: ListChannels.Select.Response(chosen: chosen))
    }

    public func logout(request: ListContacts.Logout.Request) async {
        question = .logout
        let unsent = await chat.currentState()?.rooms.values.reduce(0) { $0 + $1.timeline.unsentCount } ?? 0
        present(.confirm(unsent: unsent))
    }

    public func confirm(request: ListChannels.Confirmation.Request) async {
        let asked = question
        question = nil
        switch asked {
        case nil: present(.notAsked)
        case .logout:
            leave()
            await chat.disconnect()
            present(.loggedOut(await users.logout()))
        case .delete(let channel): await delete(channel)
        }
    }

    private func delete(_ channel: ListChannels.ChannelStanding) async {
        var response = ListChannels.Act.Response(kind: .delete, chosen: .found(channel))
        do {
            if case .unfinished(let error) = try await chat.deleteChannel(channel.id) { response.unfinished = error }
        } catch {
            guard !ends(error) else { return }
            response.fault = .chat(error)
        }
        guard !isOver else { return }
        presenter.presentAct(response: response)
    }

    public func cancel(request: ListChannels.Confirmation.Request) async {
        let asked = question
        question = nil
        switch asked {
        case nil: present(.notAsked)
        case .logout: present(.cancelled)
        case .delete(let channel):
            presenter.presentConfirmation(
                response: ListChannels.Confirmation.Response(channel: channel, isCancelled: true))
        }
    }

    private func present(_ step: ListContacts.Logout.Response.Step) {
        presenter.presentLogout(response: ListContacts.Logout.Response(step: step))
    }

    /// Goes to Login where the error says that the session is over. True also where the scene has gone meanwhile.
    private func ends(_ error: ChatError) -> Bool {
        if let reason = Login.Reason(error) { endSession(reason) }
        return isOver
    }
}
