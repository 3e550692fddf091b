import Models
import Workers

/// What a view of the list of contacts asks for.
@MainActor
public protocol ListContactsBusinessLogic: AnyObject {
    /// Connects, fetches, and follows the news until `leave`.
    func start(request: ListContacts.Start.Request) async
    func fetchContacts(request: ListContacts.Fetch.Request) async
    func addContact(request: ListContacts.Create.Request) async
    func removeContact(request: ListContacts.Remove.Request) async
    func block(request: ListContacts.Block.Request) async
    func selectContact(request: ListContacts.Select.Request) async
    func rename(request: ListContacts.Rename.Request) async
    func changePassword(request: ListContacts.ChangePassword.Request) async
    /// Asks for the confirmation.
    func logout(request: ListContacts.Logout.Request) async
    func confirmLogout(request: ListContacts.Logout.Request) async
    func cancelLogout(request: ListContacts.Logout.Request) async
    /// The scene goes: no more news.
    func leave()
}

/// What routers pass on from the list of contacts, or put there before it starts.
@MainActor
public protocol ListContactsDataStore: AnyObject {
    var session: Session? { get set }
    /// Why the server could not be asked at launch.
    var launchFault: NetworkFault? { get set }
    /// In the order of the rows.
    var contacts: [Contact] { get }
    var selectedContact: Contact? { get }
    /// Why the session is over, once it is.
    var loginReason: Login.Reason? { get }
}

/// Decides what happens in the list of contacts. The view owns it; it owns its presenter.
@MainActor
public final class ListContactsInteractor: ListContactsBusinessLogic, ListContactsDataStore {
    public var session: Session?
    public var launchFault: NetworkFault?
    public private(set) var selectedContact: Contact?
    public internal(set) var loginReason: Login.Reason?
    public var contacts: [Contact] { roster?.standings.map(\.contact) ?? [] }

    let presenter: any ListContactsPresentationLogic
    let users: any UsersWorkerLogic
    let chat: any ChatWorkerLogic
    let environment: Environment
    var roster: ContactRoster?
    var connection = Connection.connecting
    var storageFault: String?
    /// The scene has gone, or the session is over.
    var isOver = false
    let fetching = ListFetch()
    /// The last fetch failed; the next comes with the connection.
    var isStale = false
    var isLoading = true
    /// When somebody was added here: that they come in at once is no news.
    var added: [UserID: Timestamp] = [:]
    private var presented: ListContacts.Fetch.Response?
    private var isConfirmingLogout = false
    private var subscription: (any ChatSubscription)?
    private var midnight: (any ScheduledTimer)?

    public init(
        presenter: any ListContactsPresentationLogic, users: any UsersWorkerLogic, chat: any ChatWorkerLogic,
        environment: Environment
    ) {
        self.presenter = presenter
        self.users = users
        self.chat = chat
        self.environment = environment
    }

    deinit {
        subscription?.cancel()
        midnight?.cancel()
    }

    public func start(request: ListContacts.Start.Request) async {
        guard let session else { return endSession(.sessionEnded) }
        roster = ContactRoster(own: session.user, locale: environment.locale)
        // What was there last time, until the server's own list comes.
        if let cached = await users.cachedContacts() { _ = roster?.handle(.fetched(cached)) }
        guard !isOver else { return }
        if let launchFault { connection = .offline(reason: launchFault, retryAt: nil) }
        presentReachability()
        presentContacts()
        if let stale = await chat.currentState(), stale.ownID != session.user.chatID || stale.connection == .ended {
            await chat.disconnect()
        }
        subscription = await chat.subscribe { [weak self] update in self?.receive(update) }
        guard !isOver else {
            subscription?.cancel()
            return
        }
        await chat.connect(session)
        if let state = await chat.currentState() { apply(state) }
        await finishStart()
    }

    private func finishStart() async {
        guard !isOver else { return }
        if connection.isOffline {
            // Asking for the list would only wait for the same failure; it is asked for once there is a connection.
            isStale = true
        } else if let error = await fetch() {
            guard !isOver else { return }
            fail(error)
        }
        guard !isOver else { return }
        isLoading = false
        presentContacts(isReload: true)
        presentAtMidnight()
    }

    public func leave() {
        isOver = true
        subscription?.cancel()
        subscription = nil
        midnight?.cancel()
        midnight = nil
        fetching.cancelPause()
    }

    /// The session is over; told once.
    func endSession(_ reason: Login.Reason) {
        guard !isOver else { return }
        leave()
        loginReason = reason
        presenter.presentSessionEnd(response: ListContacts.SessionEnd.Response(reason: reason))
    }

    func choose(_ contact: Contact?) { selectedContact = contact }

    /// Presents the list where it is another than the one presented last, or is asked for.
    func presentContacts(isReload: Bool = false) {
        guard let roster, !isOver else { return }
        let response = ListContacts.Fetch.Response(
            own: roster.own, contacts: roster.standings, people: roster.people, isLoading: isLoading,
            isReload: isReload)
        var comparable = response
        comparable.isReload = false
        guard isReload || comparable != presented else { return }
        presented = comparable
        presenter.presentContacts(response: response)
    }

    func presentReachability() {
        presenter.presentReachability(response: ListContacts.Reachability.Response(connection: connection))
    }

    /// Texts that name a day or a time of today are others tomorrow.
    private func presentAtMidnight() {
        let wait = DayText(zone: environment.timeZone).untilNextDay(environment.clock.now)
        midnight = environment.after(wait, "midnight") { [weak self] in await self?.turnDay() }
    }

    private func turnDay() {
        guard !isOver else { return }
        presented = nil
        presentContacts()
        presentAtMidnight()
    }

    public func logout(request: ListContacts.Logout.Request) async {
        isConfirmingLogout = true
        present(.confirm(unsent: roster?.unsentCount ?? 0))
    }

    public func cancelLogout(request: ListContacts.Logout.Request) async {
        guard isConfirmingLogout else { return present(.notAsked) }
        isConfirmingLogout = false
        present(.cancelled)
    }

    public func confirmLogout(request: ListContacts.Logout.Request) async {
        guard isConfirmingLogout else { return present(.notAsked) }
        isConfirmingLogout = false
        leave()
        await chat.disconnect()
        present(.loggedOut(await users.logout()))
    }

    private func present(_ step: ListContacts.Logout.Response.Step) {
        presenter.presentLogout(response: ListContacts.Logout.Response(step: step))
    }
}
