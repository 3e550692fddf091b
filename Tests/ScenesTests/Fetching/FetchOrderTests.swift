import Testing

@testable import Scenes

@Suite("FetchOrder")
struct FetchOrderTests {
    private var order = FetchOrder()

    @Test("the only fetch is applied")
    mutating func one() {
        let number = order.begin()

        #expect(order.isFetching)

        order.end()

        #expect(!order.isFetching)
        #expect(order.judge(number) == .apply)
    }

    @Test("an answer that comes after a later fetch's is dropped")
    mutating func overtaken() {
        let first = order.begin()
        let second = order.begin()

        #expect(order.judge(second) == .apply)
        #expect(order.judge(first) == .drop)
    }

    @Test("answers in order are applied in order")
    mutating func inOrder() {
        let first = order.begin()
        let second = order.begin()

        #expect(order.judge(first) == .apply)
        #expect(order.judge(second) == .apply)
    }

    @Test("what was asked for before a change is asked for again")
    mutating func changed() {
        let before = order.begin()
        order.change()
        let after = order.begin()

        #expect(order.isOutdated(before))
        #expect(!order.isOutdated(after))
        #expect(order.judge(before) == .fetchAgain)
        #expect(order.judge(after) == .apply)
    }
}
