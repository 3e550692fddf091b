import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ChatroomInteractor: the length of a message in a channel")
struct ChatroomLimitTests {
    @Test("256 characters as people see them are sent, 257 are not")
    func limit() async {
        let scene = ChannelScene()
        await scene.start()
        // 7 scalars and 25 bytes each.
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 256)

        await scene.interactor.send(request: .init(text: family))
        await scene.interactor.send(request: .init(text: family + "e\u{301}"))

        #expect(scene.chat.calls == [.send(family, ChannelScene.id)])
        #expect(
            scene.presenter.calls == [.send(removed: 0, nil), .send(removed: 0, .tooLong(count: 257, limit: 256))])
    }

    @Test("another limit may be set, and what is taken out does not count")
    func configured() async {
        let scene = ChannelScene(limit: 3)
        await scene.start()

        await scene.interactor.send(request: .init(text: "a\u{7}bc"))
        await scene.interactor.send(request: .init(text: "abcd"))

        #expect(
            scene.presenter.calls == [.send(removed: 1, nil), .send(removed: 0, .tooLong(count: 4, limit: 3))])
    }

    @Test("a message to a contact has no such limit, and no counter")
    func contact() async {
        let scene = ChatroomScene()
        await scene.start()
        let text = String(repeating: "a", count: 300)

        await scene.interactor.measure(request: .init(text: text))
        await scene.interactor.send(request: .init(text: text))

        #expect(scene.presenter.calls == [.send(removed: 0, nil)])
    }

    @Test("what is typed is counted from 200 on, beyond the limit too, and once more when it is shorter again")
    func counter() async {
        let scene = ChannelScene()
        await scene.start()

        for count in [1, 199, 200, 256, 257, 199, 198] {
            await scene.interactor.measure(request: .init(text: String(repeating: "é", count: count)))
        }

        #expect(
            scene.presenter.calls == [
                .draft(200, limit: 256, isNear: true), .draft(256, limit: 256, isNear: true),
                .draft(257, limit: 256, isNear: true), .draft(199, limit: 256, isNear: false),
            ])
        #expect(scene.chat.calls.isEmpty)
    }

    @Test("of another limit, from the same part of it", arguments: [(1_000, 782), (10, 8), (1, 1)])
    func otherLimits(_ limit: Int, _ first: Int) async {
        let scene = ChannelScene(limit: limit)
        await scene.start()

        await scene.interactor.measure(request: .init(text: String(repeating: "a", count: first - 1)))
        await scene.interactor.measure(request: .init(text: String(repeating: "a", count: first)))

        #expect(scene.presenter.calls == [.draft(first, limit: limit, isNear: true)])
    }
}
