import Models
import Testing

@testable import Scenes

private struct Failure: Error, Equatable {}

@MainActor
@Suite("ListFetch")
struct ListFetchTests {
    private let fetch = ListFetch()

    @Test("an answer that nothing has happened to is the newest")
    func plain() async throws {
        var wasFetching = false

        let answer = try await fetch.newest(while: { true }) { () async throws(Failure) in
            wasFetching = fetch.isFetching
            return 1
        }

        #expect(answer == 1)
        #expect(wasFetching && !fetch.isFetching)
    }

    @Test("what was asked for before a change is asked for again")
    func changed() async throws {
        var count = 0

        let answer = try await fetch.newest(while: { true }) { () async throws(Failure) in
            count += 1
            if count == 1 { fetch.change() }
            return count
        }

        #expect(answer == 2)
    }

    @Test("what changes faster than it can be fetched is shown as it is, and asked for again after a pause, once")
    func changesWithoutEnd() async throws {
        let time = VirtualTime()
        var count = 0
        var again = 0

        let answer = try await fetch.newest(while: { true }) { () async throws(Failure) in
            count += 1
            fetch.change()
            return count
        }
        fetch.catchUp(time.environment) { again += 1 }
        let isPausing = fetch.isPausing
        await time.advance(ListFetch.pause - .milliseconds(1))
        let early = again
        await time.advance(ListFetch.pause * 3)

        #expect(answer == 2)
        #expect(isPausing && !fetch.isPausing)
        #expect([early, again] == [0, 1])
    }

    @Test("so is what fails however often something has changed meanwhile")
    func failsWithoutEnd() async {
        let time = VirtualTime()
        var count = 0
        var again = 0

        await #expect(throws: Failure()) {
            try await fetch.done(while: { true }, isReachable: { true }) { () async throws(Failure) in
                count += 1
                fetch.change()
                throw Failure()
            }
        }
        fetch.catchUp(time.environment) { again += 1 }
        await time.advance(ListFetch.pause)

        #expect([count, again] == [2, 1])
    }

    @Test("what is up to date needs no pause, and one that is not wanted any more ends")
    func cancelled() async throws {
        let time = VirtualTime()
        var again = 0

        _ = try await fetch.newest(while: { true }) { () async throws(Failure) in 1 }
        fetch.catchUp(time.environment) { again += 1 }
        let afterNewest = fetch.isPausing
        _ = try await fetch.newest(while: { true }) { () async throws(Failure) in fetch.change() }
        fetch.catchUp(time.environment) { again += 1 }
        fetch.cancelPause()
        await time.advance(ListFetch.pause)

        #expect(!afterNewest && !fetch.isPausing)
        #expect(again == 0)
    }

    @Test("an answer that comes after a later one is dropped")
    func overtaken() async throws {
        var later: Int?

        let earlier = try await fetch.newest(while: { true }) { () async throws(Failure) in
            later = try await fetch.newest(while: { true }) { () async throws(Failure) in 2 }
            return 1
        }

        #expect(earlier == nil)
        #expect(later == 2)
    }

    @Test(
        "a failure is tried again only where something has changed meanwhile and it could fare better",
        arguments: [(true, true, 2), (true, false, 1), (false, true, 1)])
    func failure(_ isChanged: Bool, _ isReachable: Bool, _ times: Int) async {
        var count = 0

        await #expect(throws: Failure()) {
            try await fetch.newest(while: { true }, isReachable: { isReachable }) { () async throws(Failure) -> Int in
                count += 1
                if isChanged, count == 1 { fetch.change() }
                throw Failure()
            }
        }

        #expect(count == times)
        #expect(!fetch.isFetching)
    }

    @Test("nothing is asked for nobody")
    func unwanted() async throws {
        var isWanted = false
        var count = 0

        let before = try await fetch.newest(while: { isWanted }) { () async throws(Failure) in 1 }
        isWanted = true
        let after = try await fetch.newest(while: { isWanted }) { () async throws(Failure) in
            count += 1
            isWanted = false
            fetch.change()
            return count
        }

        #expect(before == nil && after == nil)
        #expect(count == 1)
    }

    @Test("what is done succeeds once, whatever changes meanwhile, and takes no list's turn")
    func done() async throws {
        var count = 0

        let answer = try await fetch.newest(while: { true }) { () async throws(Failure) in
            try await fetch.done(while: { true }, isReachable: { true }) { () async throws(Failure) in count += 1 }
            return 1
        }

        #expect(answer == 1)
        #expect(count == 1)
    }
}
