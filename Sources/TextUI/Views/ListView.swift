import Models
import Scenes

/// A view whose commands become requests, and whose requests tell how they have ended.
@MainActor
protocol RequestingView: SceneView {
    var context: ViewContext { get }
    var routes: RouteFollower { get }
    /// How the request under way has ended, once its outcome has been presented.
    var outcome: CommandOutcome? { get set }
}

extension RequestingView {
    /// Makes a request and goes where its view models lead.
    @discardableResult
    func ask<Request>(_ request: Request, _ body: @MainActor (Request) async -> Void) async -> CommandOutcome {
        context.trace(request)
        outcome = nil
        await routes.request { await body(request) }
        return outcome ?? .done()
    }
}

/// A list from which chats are opened, and to which one comes back from them. Covered by a chat it prints nothing; what
/// has gone wrong meanwhile it says when one comes back.
@MainActor
protocol ListView: RequestingView {
    /// Who one is, once that is known.
    var ownName: RemoteText? { get }
    var banner: Banner? { get }
    /// Of all rows.
    var unreadCount: Int { get }
    var journal: Journal { get set }
    var isCovered: Bool { get set }
    /// Whether something is to be confirmed or dismissed.
    var isAsking: Bool { get set }
}

extension ListView {
    /// For a prompt; nil while it is not known.
    var shownOwnName: SafeLine? {
        guard let ownName, !ownName.isEmpty else { return nil }
        return Sanitiser.line(ownName).cut(to: max(8, context.width / 4))
    }

    func promptTitle(_ title: String) -> SafeLine {
        let unread: SafeLine = unreadCount > 0 ? " (\(unreadCount) unread)" : .empty
        return "\(title)" + unread + BannerRenderer.promptMark(of: banner)
    }

    /// The whole screen: the list's title, whether it is current, its rows, and what has been said.
    func screen(of lines: [SafeLine]) -> [SafeLine] {
        lines.prefix(1) + BannerRenderer.lines(of: banner, width: context.width) + lines.dropFirst()
            + journal.notices.flatMap { NoticeRenderer.lines(of: $0, width: context.width) }
    }

    func comeBack() {
        isCovered = false
        journal.printContent()
        journal.printNotices(width: context.width)
    }

    func dropLines() {
        isCovered = true
        journal.drop()
    }

    /// The list has changed.
    ///
    /// - Parameter isMoreUnread: Whether there is more that has not been read.
    func listChanged(isReload: Bool, isMoreUnread: Bool) {
        if isReload && !isCovered { journal.printContent() }
        if isMoreUnread { context.onNews() }
    }

    /// Prints a line of what has happened.
    func tell(_ line: RemoteText) {
        guard !isCovered else { return }
        journal.print(SafeText(lines: [Sanitiser.line(line)]).wrapped(to: context.width))
    }

    /// Says what has gone wrong; while a chat stands over the list it waits until one comes back.
    func tellFailure(_ line: RemoteText) {
        journal.announce(line, isError: true, width: context.width)
        if isCovered { journal.drop() }
    }

    /// Takes in how a request has ended; one that is about a room returns its id.
    func end(_ outcome: Outcome, _ roomID: RoomID?) {
        self.outcome = journal.announce(outcome, value: roomID?.raw, width: context.width)
    }

    /// Takes in a step of logging out; `leave` leads to Welcome.
    func take(_ logout: ListContacts.Logout.ViewModel, leave: @escaping @MainActor () async -> Void) {
        isAsking = logout.step == .confirm
        switch logout.step {
        case .confirm:
            let loss: RemoteText = logout.message.map { "\($0) " } ?? ""
            journal.announce("\(logout.title). \(loss)Type confirm to go on, or dismiss.", width: context.width)
        case .cancelled: journal.announce("\(logout.title).", width: context.width)
        case .notAsked: outcome = journal.announce(.failed(line: "\(logout.title)."), width: context.width)
        case .loggedOut: routes.go(leave)
        }
    }
}
