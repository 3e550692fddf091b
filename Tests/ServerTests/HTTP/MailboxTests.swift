import Foundation
import Testing

@testable import Server

@Suite struct MailboxTests {
    private func isReadable(_ mailbox: Mailbox) -> Bool {
        var set = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&set, 1, 0) == 1
    }

    private func ids(_ letters: [Mailbox.Letter]) -> [Int] {
        letters.map { if case .answer(let id, _) = $0 { id } else { -1 } }
    }

    @Test("letters come out once, in their order, and the descriptor tells of them")
    func order() throws {
        let mailbox = try #require(Mailbox())
        #expect(!isReadable(mailbox))

        mailbox.post(.answer(exchange: 1, .noContent))
        mailbox.post(.answer(exchange: 2, .noContent))
        mailbox.post(.stop)

        #expect(isReadable(mailbox))
        #expect(ids(mailbox.take()) == [1, 2, -1])
        #expect(!isReadable(mailbox))
        #expect(mailbox.take().isEmpty)
    }

    @Test("no letter is lost among many writers")
    func writers() async throws {
        let mailbox = try #require(Mailbox())

        let taken = await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<500 { mailbox.post(.answer(exchange: writer * 500 + number, .noContent)) }
                }
            }
            return await onOwnThread { () -> Set<Int> in
                var taken: Set<Int> = []
                while taken.count < 4_000 {
                    var set = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
                    guard poll(&set, 1, 60_000) == 1 else { break }
                    for case .answer(let id, _) in mailbox.take() { taken.insert(id) }
                }
                return taken
            }
        }

        #expect(taken.count == 4_000)
    }
}
