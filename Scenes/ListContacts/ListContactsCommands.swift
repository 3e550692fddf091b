import Foundation
import Models
import Workers

/// What a person asks for.
extension ListContactsInteractor {
    public func fetchContacts(request: ListContacts.Fetch.Request) async {
        let error = await fetch(isReload: true)
        guard !isOver else { return }
        if let error {
            isStale = true
            if let reason = Login.Reason(error) { return endSession(reason) }
        }
        presenter.presentFetch(response: ListContacts.Fetch.Ending(error: error))
    }

    public func addContact(request: ListContacts.Create.Request) async {
        let identity = AccountChecks.folded(request.identity)
        var response = ListContacts.Create.Response(identity: identity)
        if Visible.hasAnything(identity) {
            let known = Set(contacts.map(\.user.chatID))
            do {
                let contact = try await users.addContact(identity)
                fetching.change()
                guard !isOver else { return }
                added[contact.user.chatID] = environment.clock.now
                handle(.added(contact, again: known.contains(contact.user.chatID)))
                response.roomID = contact.room.id
            } catch {
                guard !ends(error) else { return }
                response.fault = .users(error)
            }
        } else {
            response.fault = .missing
        }
        presenter.presentCreate(response: response)
    }

    public func removeContact(request: ListContacts.Remove.Request) async {
        var response = ListContacts.Remove.Response(chosen: choice(request.who))
        if case .found(let id, _, _) = response.chosen {
            do {
                try await users.removeContact(id)
                fetching.change()
                guard !isOver else { return }
                handle(.removed(id))
            } catch {
                guard !ends(error) else { return }
                response.error = error
            }
        }
        presenter.presentRemove(response: response)
    }

    public func block(request: ListContacts.Block.Request) async {
        var response = ListContacts.Block.Response(
            chosen: choiceOrID(request.who), isBlocking: request.isBlocking)
        if case .found(let id, _, _) = response.chosen {
            do {
                if request.isBlocking { try await users.block(id) } else { try await users.unblock(id) }
            } catch {
                guard !ends(error) else { return }
                response.error = error
            }
        }
        guard !isOver else { return }
        presenter.presentBlock(response: response)
    }

    public func selectContact(request: ListContacts.Select.Request) async {
        let chosen = choice(request.who)
        if case .found(let id, _, _) = chosen { choose(contacts.first { $0.user.chatID == id }) }
        presenter.presentSelect(response: ListContacts.Select.Response(chosen: chosen))
    }

    public func rename(request: ListContacts.Rename.Request) async {
        let name = request.name.trimmingCharacters(in: .whitespacesAndNewlines)
        var response = ListContacts.Rename.Response()
        if let fault = AccountChecks.name(name) {
            response.fault = .unfit(fault)
        } else {
            do {
                let user = try await users.rename(to: name)
                guard !isOver else { return }
                session?.user = user
                handle(.renamedOneself(user))
                response.name = user.name
            } catch {
                guard !ends(error) else { return }
                response.fault = .users(error)
            }
        }
        presenter.presentRename(response: response)
    }

    public func changePassword(request: ListContacts.ChangePassword.Request) async {
        var response = ListContacts.ChangePassword.Response()
        if let fault = AccountChecks.newPassword(request.new) {
            response.fault = .unfit(fault)
        } else {
            do {
                try await users.changePassword(current: request.current, new: request.new)
            } catch {
                guard !ends(error) else { return }
                response.fault = .users(error)
            }
        }
        guard !isOver else { return }
        presenter.presentChangePassword(response: response)
    }

    private func choice(_ who: String) -> ListContacts.ChosenContact { roster?.choose(who) ?? .nobody(who) }

    /// Somebody who is no contact can be named by their id.
    private func choiceOrID(_ who: String) -> ListContacts.ChosenContact {
        let chosen = choice(who)
        guard case .nobody(let text) = chosen, text.hasPrefix("@"), text.contains(":") else { return chosen }
        return .found(UserID(text), nil, people: roster?.people ?? [:])
    }

    /// Goes to Login where the error says that the session is over. True also where the scene has gone meanwhile.
    private func ends(_ error: UsersError) -> Bool {
        if let reason = Login.Reason(error) { endSession(reason) }
        return isOver
    }
}
