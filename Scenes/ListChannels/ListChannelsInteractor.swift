import Models
import Workers

/// What a view of the list of channels asks for.
@MainActor
public protocol ListChannelsBusinessLogic: AnyObject {
    /// Connects, enters General, fetches the public list, and follows the news until `leave`.
    func start(request: ListChannels.Start.Request) async
    func fetchChannels(request: ListChannels.Fetch.Request) async
    func createChannel(request: ListChannels.Create.Request) async
    /// Joins, accepts or declines; of a deletion, asks for the confirmation.
    func act(request: ListChannels.Act.Request) async
    func selectChannel(request: ListChannels.Select.Request) async
    /// Asks for the confirmation.
    func logout(request: ListContacts.Logout.Request) async
    func confirm(request: ListChannels.Confirmation.Request) async
    func cancel(request: ListChannels.Confirmation.Request) async
    /// The scene goes: no more news.
    func leave()
}

/// What routers pass on from the list of channels, or put there before it starts.
@MainActor
public protocol ListChannelsDataStore: AnyObject {
    var session: Session? { get set }
    /// Why one is here, where nobody asked to be.
    var notice: RemoteText? { get set }
    var selectedChannel: Channel? { get }
    /// Those whose names are known; for telling namesakes apart.
    var contacts: [Contact] { get }
    /// Why the session is over, once it is.
    var loginReason: Login.Reason? { get }
}

/// Decides what happens in the list of channels. The view owns it; it owns its presenter.
@MainActor
public final class ListChannelsInteractor: ListChannelsBusinessLogic, ListChannelsDataStore {
    public var session: Session?
    public var notice: RemoteText?
    public private(set) var selectedChannel: Channel?
    public private(set) var contacts: [Contact] = []
    public private(set) var loginReason: Login.Reason?

    enum Question: Equatable {
        case logout
        case delete(ListChannels.ChannelStanding)
    }

    let presenter: any ListChannelsPresentationLogic
    let users: any UsersWorkerLogic
    let chat: any ChatWorkerLogic
    let environment: Environment
    var roster: ChannelRoster?
    var question: Question?
    /// The scene has gone, or the session is over.
    var isOver = false
    var isLoading = true
    private var connection: Models.Connection?
    private let fetching = ListFetch()
    /// General is still to be entered, or the list to be fetched, once there is a connection.
    private var isDue = false
    /// News came that calls for a fetch, before the scene had begun to follow it.
    private var isMissed = false
    private var presented: ListChannels.Fetch.Response?
    private var subscription: (any ChatSubscription)?

    public init(
        presenter: any ListChannelsPresentationLogic, users: any UsersWorkerLogic, chat: any ChatWorkerLogic,
        environment: Environment
    ) {
        self.presenter = presenter
        self.users = users
        self.chat = chat
        self.environment = environment
    }

    deinit { subscription?.cancel() }

    public func start(request: ListChannels.Start.Request) async {
        guard let session else { return endSession(.sessionEnded) }
        roster = ChannelRoster(ownID: session.user.chatID, locale: environment.locale)
        if let notice { presenter.presentNotice(response: ListChannels.Notice.Response(notice: notice)) }
        presentChannels()
        contacts = await users.cachedContacts() ?? []
        subscription = await chat.subscribe { [weak self] update in await self?.receive(update) }
        await chat.connect(session)
        guard !isOver else {
            subscription?.cancel()
            return
        }
        if let state = await chat.currentState() { apply(state) }
        let failures = await complete()
        guard !isOver else { return }
        tell(failures)
        if let state = await chat.currentState() { _ = roster?.handle(.news(state)) }
        isLoading = false
        presentChannels(isReload: true)
        if isMissed, !isOver { fetchInBackground() }
    }

    public func fetchChannels(request: ListChannels.Fetch.Request) async {
        let failures = await complete()
        guard !isOver else { return }
        presenter.presentFetch(response: ListChannels.Fetch.Ending(failures: failures))
        if failures.isEmpty { presentChannels(isReload: true) }
    }

    public func leave() {
        isOver = true
        subscription?.cancel()
        subscription = nil
        fetching.cancelPause()
    }

    func endSession(_ reason: Login.Reason) {
        guard !isOver else { return }
        leave()
        loginReason = reason
        presenter.presentSessionEnd(response: ListContacts.SessionEnd.Response(reason: reason))
    }

    func choose(_ standing: ListChannels.ChannelStanding?) {
        selectedChannel = standing.map { Channel(id: $0.id, name: $0.shownName) }
    }

    private func receive(_ update: ChatUpdate) async {
        guard !isOver else { return }
        if let reason = Login.Reason(update.changes) { return endSession(reason) }
        let hasLeft = apply(update.state)
        let isBack = update.changes.contains(.connection) && update.state.connection == .online
        // What is known of a channel that one has left was fetched while one was in it.
        let isOutdated = hasLeft || update.changes.contains(.channels)
        if isBack || isOutdated { fetching.change() }
        guard !fetching.isFetching, (isOutdated && !fetching.isPausing) || (isBack && isDue) else { return }
        if isLoading { isMissed = true } else { fetchInBackground() }
    }

    private func fetchInBackground() {
        environment.activity.run("fetch channels") { [weak self] in await self?.completeInBackground() }
    }

    /// Whether a channel has been left that can be joined again.
    @discardableResult
    private func apply(_ state: ChatState) -> Bool {
        if connection != state.connection {
            connection = state.connection
            presenter.presentReachability(response: ListChannels.Reachability.Response(connection: state.connection))
        }
        return take(.news(state)).contains { $0.kind == .left }
    }

    /// Tells each happening, then shows the list. While it is loading nothing has happened yet.
    @discardableResult
    func take(_ event: ChannelRoster.Event) -> [ChannelRoster.Happening] {
        guard let happenings = roster?.handle(event), let people = roster?.people, !isLoading, !isOver else {
            return []
        }
        for happening in happenings {
            presenter.presentEvent(
                response: ListChannels.Event.Response(
                    kind: happening.kind, channel: happening.channel, formerName: happening.formerName, people: people))
        }
        presentChannels()
        return happenings
    }

    /// Enters General and fetches the public list, as far as there is a connection; returns what has failed.
    private func complete() async -> [ListChannels.Failure.Response] {
        isMissed = false
        fetching.cancelPause()
        guard connection == .online else {
            isDue = true
            return [ListChannels.Failure.Response(what: .list, error: .notConnected)]
        }
        var failures: [ListChannels.Failure.Response] = []
        do { try await enterGeneral() } catch { failures.append(.init(what: .general, error: error)) }
        do { try await fetch() } catch { failures.append(.init(what: .list, error: error)) }
        isDue = !failures.isEmpty
        if let reason = failures.lazy.compactMap({ Login.Reason($0.error) }).first { endSession(reason) }
        if !isOver { fetching.catchUp(environment) { [weak self] in await self?.completeInBackground() } }
        return failures
    }

    private func completeInBackground() async {
        guard !isOver else { return }
        tell(await complete())
    }

    /// What the connection is to blame for is on the banner already.
    private func tell(_ failures: [ListChannels.Failure.Response]) {
        guard !isOver else { return }
        for failure in failures where failure.error != .notConnected { presenter.presentFailure(response: failure) }
    }

    private func enterGeneral() async throws(ChatError) {
        try await fetching.done(while: { !isOver }, isReachable: { connection == .online }) {
            () async throws(ChatError) in _ = try await chat.joinGeneral()
        }
    }

    private func fetch() async throws(ChatError) {
        let rooms = try await fetching.newest(while: { !isOver }, isReachable: { connection == .online }) {
            () async throws(ChatError) in try await chat.publicRooms()
        }
        if let rooms { take(.fetched(rooms)) }
    }

    func presentChannels(isReload: Bool = false) {
        guard let roster, !isOver else { return }
        let response = ListChannels.Fetch.Response(
            channels: roster.standings, people: roster.people, ownID: roster.ownID, isLoading: isLoading,
            isReload: isReload, ownName: session?.user.name ?? "")
        var comparable = response
        comparable.isReload = false
        guard isReload || comparable != presented else { return }
        presented = comparable
        presenter.presentChannels(response: response)
    }
}
