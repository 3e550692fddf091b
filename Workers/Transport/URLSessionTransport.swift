import Foundation
import Models

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP by URLSession. Make one for the process and keep it: its connections are worth keeping, and a session that is
/// let go does not give all of its memory back.
///
/// What URLSession does on Linux decides the design:
/// - A task that is cancelled while its answer arrives can hang or crash. So each task resumes one continuation once, and
///   `cancel` is only ever called from a queue of its own.
/// - A body is gathered whole, however long it is, where the task has a completion handler. So the parts come through the
///   delegate, and what is larger than any true answer is given up.
/// - A 401 with `WWW-Authenticate: Basic` never ends unless the challenge is rejected, which then shows as a
///   cancellation. So it is, and that is told as the 401 that it was.
/// - `timeoutInterval` limits idleness only. So the deadline is kept here, by the environment's clock.
/// - Redirects carry the Authorization header to other hosts. So they are refused; the caller sees the 3xx.
/// - A connection that ends within the head of an answer ends the process, up to Swift 6.3. Nothing outside can prevent
///   that; it is mended in github.com/swiftlang/swift-corelibs-foundation/pull/5286.
/// - Six connections to a host are the default, which six polls use up. So polls have a session of their own.
public final class URLSessionTransport: Transport {
    private let environment: Environment
    private let allowsInsecure: Bool
    private let answerLimit: Int
    private let ordinary: Lane
    private let polls: Lane
    private let cancellations = DispatchQueue(label: "words.transport.cancel")

    public convenience init(environment: Environment, allowsInsecure: Bool = false) {
        self.init(environment: environment, allowsInsecure: allowsInsecure, answerLimit: Self.answerLimit)
    }

    /// - Parameter answerLimit: The largest body that is taken, in bytes; a larger one is told as interrupted.
    init(environment: Environment, allowsInsecure: Bool = false, answerLimit: Int) {
        self.environment = environment
        self.allowsInsecure = allowsInsecure
        self.answerLimit = answerLimit
        Loopback.bypassProxy()
        StrayFolders.avoid()
        ordinary = Lane(Self.configuration(connections: 64))
        polls = Lane(Self.configuration(connections: 4_096))
    }

    /// Three times a first sync of 10,000 rooms with 20 messages each.
    private static let answerLimit = 256 * 1_024 * 1_024

    private static func configuration(connections: Int) -> URLSessionConfiguration {
        // Without its stores it keeps nothing; an ephemeral one would make a folder for its cache all the same.
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // Idleness is not limited: a held poll is idle. The deadline is ours.
        configuration.timeoutIntervalForRequest = 86_400
        return configuration
    }

    public func perform(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse {
        try check(request.url)
        let exchange = Exchange(cancellations, answerLimit: answerLimit)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.start(continuation) { start(request, exchange) }
            }
        } onCancel: {
            exchange.finish(.failure(.interrupted))
        }
        return try result.get()
    }

    private func check(_ url: URL) throws(NetworkFault) {
        switch url.scheme?.lowercased() {
        case "https": return
        case "http" where allowsInsecure || Loopback.contains(url): return
        case "http":
            throw .untrusted(cause: "plain http would show everything to everyone on the way; https is needed")
        default: throw .unreachable
        }
    }

    private func start(_ request: TransportRequest, _ exchange: Exchange) {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body
        urlRequest.httpShouldHandleCookies = false
        for header in request.headers { urlRequest.setValue(header.value, forHTTPHeaderField: header.name) }
        let lane = request.operation == .sync ? polls : ordinary
        let task = lane.task(urlRequest, exchange)
        let activity = environment.activity
        let pollID = request.header(PollHeader.name)
        let timer = environment.clock.schedule(after: request.deadline) {
            // A poll that the server holds does not count; from here on until its caller has handled this, it does.
            if let pollID { activity.unpark(poll: pollID) }
            exchange.finish(.failure(.timedOut))
        }
        if !exchange.run(task, timer) { lane.drop(task) }
    }
}

/// The header by which a server in the same process finds a poll in the shared activity.
enum PollHeader {
    static let name = "X-Words-Poll"
}

/// One request under way: whichever of answer, deadline and cancellation comes first ends it, the others are dropped.
private final class Exchange: Sendable {
    typealias Outcome = Result<TransportResponse, NetworkFault>

    private struct State {
        var isFinished = false
        var continuation: CheckedContinuation<Outcome, Never>?
        var task: URLSessionTask?
        var timer: (any ScheduledTimer)?
        var body = Data()
    }

    private let state = Locked(State())
    private let cancellations: DispatchQueue
    private let answerLimit: Int

    init(_ cancellations: DispatchQueue, answerLimit: Int) {
        self.cancellations = cancellations
        self.answerLimit = answerLimit
    }

    /// Begins, unless it was cancelled before it could.
    func start(_ continuation: CheckedContinuation<Outcome, Never>, _ begin: () -> Void) {
        let isFinished = state.withLock { state in
            if !state.isFinished { state.continuation = continuation }
            return state.isFinished
        }
        if isFinished { continuation.resume(returning: .failure(.interrupted)) } else { begin() }
    }

    /// Sets the task going. False where the request is over already.
    func run(_ task: URLSessionTask, _ timer: any ScheduledTimer) -> Bool {
        let isFinished = state.withLock { state in
            if !state.isFinished {
                state.task = task
                state.timer = timer
            }
            return state.isFinished
        }
        if isFinished { timer.cancel() } else { task.resume() }
        return !isFinished
    }

    /// A part of the answer's body has come.
    func receive(_ part: Data) {
        let isTooLong = state.withLock { state in
            guard !state.isFinished else { return false }
            guard state.body.count + part.count <= answerLimit else { return true }
            state.body.append(part)
            return false
        }
        if isTooLong { finish(.failure(.interrupted)) }
    }

    /// The answer has ended, or failed.
    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let error { return finish(.failure(NetworkFault(error))) }
        guard let response = response as? HTTPURLResponse else { return finish(.failure(.interrupted)) }
        let headers = response.allHeaderFields.compactMap { name, value -> (name: String, value: String)? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return (name, value)
        }
        let body = state.withLock { $0.body }
        finish(.success(TransportResponse(status: response.statusCode, headers: headers, body: body)))
    }

    func finish(_ outcome: Outcome) {
        let ended = state.withLock { state -> State? in
            guard !state.isFinished else { return nil }
            defer { state = State(isFinished: true) }
            return state
        }
        guard let ended else { return }
        ended.timer?.cancel()
        ended.continuation?.resume(returning: outcome)
        if let task = ended.task, case .failure = outcome { cancellations.async { task.cancel() } }
    }
}

/// A session, and the requests that are under way in it.
private final class Lane: Sendable {
    private let exchanges = Exchanges()
    private let session: URLSession

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    /// The task of `request`, not yet resumed; what comes of it is told to `exchange`.
    func task(_ request: URLRequest, _ exchange: Exchange) -> URLSessionTask {
        let task = session.dataTask(with: request)
        exchanges.add(exchange, task)
        return task
    }

    /// Lets go of a task that is never resumed.
    func drop(_ task: URLSessionTask) { exchanges.drop(task) }
}

/// Tells each exchange what comes, and refuses what URLSession would do by itself: follow redirects and answer
/// challenges.
private final class Exchanges: NSObject, URLSessionDataDelegate {
    private let underWay = Locked<[Int: Exchange]>([:])

    func add(_ exchange: Exchange, _ task: URLSessionTask) {
        underWay.withLock { $0[task.taskIdentifier] = exchange }
    }

    @discardableResult
    func drop(_ task: URLSessionTask) -> Exchange? {
        underWay.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        underWay.withLock { $0[dataTask.taskIdentifier] }?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        drop(task)?.complete(task.response, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodNTLM:
            completionHandler(.rejectProtectionSpace, nil)
        default: completionHandler(.performDefaultHandling, nil)
        }
    }
}

extension NetworkFault {
    init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = .interrupted
            return
        }
        switch error.code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet: self = .unreachable
        case .timedOut: self = .timedOut
        // Cancelled by a rejected challenge; what this client cancels itself has ended before the error is told.
        case .cancelled, .userCancelledAuthentication, .userAuthenticationRequired: self = .serverFault(status: 401)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .untrusted(cause: RemoteText(error.localizedDescription))
        // On Linux what libcurl says of certificates has no code of its own.
        case .unknown where Self.isAboutTrust(error.localizedDescription):
            self = .untrusted(cause: RemoteText(error.localizedDescription))
        default: self = .interrupted
        }
    }

    private static func isAboutTrust(_ words: String) -> Bool {
        words.contains("certificate") || words.contains("SSL routines") || words.contains("SSL connect error")
    }
}
