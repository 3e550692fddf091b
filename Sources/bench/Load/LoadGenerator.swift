import Foundation

/// Many connections on one thread, by `poll`: what URLSession cannot do at the rates that are measured here.
final class LoadGenerator {
    private(set) var connections: [HTTPConnection] = []
    private var descriptors: [pollfd] = []
    let target: Target
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    init(_ target: Target) { self.target = target }

    deinit { buffer.deallocate() }

    /// Opens connections until there are that many.
    func open(_ count: Int) throws {
        while connections.count < count {
            let connection = try HTTPConnection(target)
            connections.append(connection)
            descriptors.append(pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0))
        }
    }

    func send(_ call: HTTPCall, on index: Int) throws {
        try connections[index].send(call)
        watch(index)
    }

    /// Calls `handle` for each answer until `isOver` or `limit` has passed; false after that.
    @discardableResult
    func run(
        for limit: Duration, until isOver: () -> Bool = { false }, _ handle: (Int, HTTPAnswer) throws -> Void
    ) throws -> Bool {
        let end = ContinuousClock.now + limit
        while !isOver() {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            let ready = poll(&descriptors, nfds_t(descriptors.count), Int32(left / .milliseconds(1)) + 1)
            if ready > 0 { try serve(handle) }
        }
        return true
    }

    private func serve(_ handle: (Int, HTTPAnswer) throws -> Void) throws {
        for index in descriptors.indices where descriptors[index].revents != 0 {
            let happened = descriptors[index].revents
            descriptors[index].revents = 0
            let connection = connections[index]
            if happened & Int16(POLLOUT) != 0 { try connection.write() }
            if happened & ~Int16(POLLOUT) != 0, let answer = try connection.read(buffer) { try handle(index, answer) }
            watch(index)
        }
    }

    private func watch(_ index: Int) {
        descriptors[index].events = Int16(POLLIN) | (connections[index].isWriting ? Int16(POLLOUT) : 0)
    }

    /// One call, on the first connection.
    func ask(_ call: HTTPCall, limit: Duration = .seconds(120)) throws -> HTTPAnswer {
        try open(1)
        return try askEach([call], limit: limit)[0]
    }

    /// All of the calls, spread over `width` connections; their answers in the order of the calls.
    func askEach(_ calls: [HTTPCall], width: Int = 8, limit: Duration = .seconds(600)) throws -> [HTTPAnswer] {
        try open(min(width, max(calls.count, 1)))
        var answers: [HTTPAnswer?] = Array(repeating: nil, count: calls.count)
        var underWay: [Int: Int] = [:]
        var next = 0
        var done = 0
        func begin(_ connection: Int) throws {
            guard next < calls.count else { return }
            underWay[connection] = next
            try send(calls[next], on: connection)
            next += 1
        }
        for connection in 0..<min(width, calls.count) { try begin(connection) }
        let isDone = try run(for: limit, until: { done == calls.count }) { connection, answer in
            guard let call = underWay[connection] else { return }
            answers[call] = answer
            done += 1
            try begin(connection)
        }
        guard isDone else { throw BenchError("\(calls.count - done) of \(calls.count) calls got no answer in time") }
        return answers.compactMap(\.self)
    }
}
