import Testing

@testable import SceneScript

@Suite("SettlingRounds")
@MainActor
struct SettlingRoundsTests {
    /// Two clients that answer what news they get with as many requests as `answers` says, round by round.
    private func rounds(_ answers: [Int]) async -> Int {
        var (requests, rounds, due) = (0, 0, 0)
        await SettlingRounds(
            idle: {
                requests += due
                due = 0
            }, requestCount: { requests },
            catchUp: {
                due = rounds < answers.count ? answers[rounds] : 0
                rounds += 1
                requests += 2
                return 2
            }
        ).play()
        return rounds
    }

    @Test("where nobody asks for anything one round is enough; else another follows, and not for ever")
    func play() async {
        #expect(await rounds([]) == 1)
        #expect(await rounds([1]) == 2)
        #expect(await rounds([3, 1, 1, 0, 1]) == 4)
        #expect(await rounds(Array(repeating: 1, count: 100)) == SettlingRounds.most)
    }
}
