import Models

/// What scenes ask of the chat: one loop of news for all of them, and the ways to act.
public protocol ChatWorkerLogic: ChannelWorkerLogic {
    /// Starts the one sync loop for `session`; does nothing where it runs already. Returns once the first batch has
    /// been handled, or the first attempt has failed (the loop then goes on trying).
    func connect(_ session: Session) async
    /// Says goodbye (presence offline), ends the loop and forgets the state.
    func disconnect() async
    /// The state now; nil before `connect`.
    func currentState() async -> ChatState?
    /// Calls `handle` for every update from now on, one after another, until cancelled or released.
    func subscribe(_ handle: @escaping @MainActor @Sendable (ChatUpdate) async -> Void) async
        -> ChatSubscription

    /// The room is about to be shown: what is stored of it is in the state when this returns.
    func open(_ room: RoomID) async
    /// Puts a message on its way and returns once its first attempt has ended, whichever way; its state is in the
    /// timeline. A message that was taken outlives this process. Throws only where it was not accepted at all.
    func send(_ text: String, to room: RoomID) async throws(ChatError)
    /// Tries all failed and waiting messages of the room again.
    func retry(in room: RoomID) async
    /// Fetches one more page of older events into the timeline. True where there may be still older ones.
    func loadOlder(in room: RoomID) async throws(ChatError) -> Bool
    /// One key was pressed; typing ends by itself.
    func typed(in room: RoomID) async
    /// Everything in the room up to its newest event has been on screen.
    func markRead(_ room: RoomID) async
    func join(_ room: RoomID) async throws(ChatError)
    func leave(_ room: RoomID) async throws(ChatError)
}

extension ChatWorkerLogic {
    public func open(_ room: RoomID) async {}
}

/// Ends a subscription; a subscription that is released ends too.
public protocol ChatSubscription: AnyObject, Sendable {
    func cancel()
}

/// Why the chat did not do what was asked. Closed: one file of the scenes turns each into words.
public enum ChatError: Error, Equatable, Sendable {
    case notConnected
    case unknownRoom
    /// The name of a channel is another's; the server's words.
    case taken(RemoteText)
    /// Only who made a channel may delete it.
    case notCreator
    /// Not a member any more, or never was.
    case notMember
    /// The content exceeds what the server takes; the limit in bytes.
    case tooLarge(limit: Int)
    /// Nothing is left once control characters have been taken out.
    case empty
    case refused(RemoteText)
    case sessionEnded
    /// The sign-in has run out; what is kept of it waits for its owner to sign in again.
    case sessionExpired
    case network(NetworkFault)
    /// It could not be kept on this machine, and so was not taken; what happened and what to do.
    case storage(String)
}
