import Models
import Scenes
import Testing

@testable import TextUI

@MainActor
@Suite("ChatroomView: channels")
struct ChatroomChannelViewTests {
    private let fixture = ViewFixture()
    private var log: CallLog { fixture.log }

    private func shown() -> ChatroomView {
        let view = fixture.chatroom()
        view.displayMessages(viewModel: Sample.chat([.message(Sample.message("hello"))]))
        _ = view.takeLines()
        return view
    }

    @Test("each command becomes its request")
    func requests() async throws {
        let view = fixture.chatroom()
        for line in ["leave", #"invite "Bob""#, "delete", "confirm", "dismiss", "channels", #"typing "hel""#] {
            _ = await view.perform(try Command(parsing: line))
        }

        #expect(
            log.calls == [
                .actInChannel(.leave), .actInChannel(.invite("Bob")), .actInChannel(.delete),
                .actInChannel(.confirmDelete), .toListChannels, .typed, .draft("hel"),
            ])
    }

    @Test("deleting is asked for, and can be taken back, once")
    func confirmation() async {
        let view = shown()
        log.duringRequest = {
            view.displayAct(viewModel: .init(isAsking: true, outcome: .done(line: "You are about to delete Tea.")))
        }
        _ = await view.perform(Command(name: "delete"))
        log.duringRequest = { view.displayAct(viewModel: .init(outcome: .done(line: "Tea stays."))) }
        _ = await view.perform(Command(name: "dismiss"))
        _ = await view.perform(Command(name: "dismiss"))

        #expect(view.takeLines().texts == ["You are about to delete Tea.", "Tea stays."])
        #expect(log.calls == [.actInChannel(.delete), .actInChannel(.cancelDelete)])
    }

    @Test("what was refused is the outcome of the command")
    func refused() async {
        let view = shown()
        log.duringRequest = {
            view.displayAct(viewModel: .init(outcome: .failed(line: "You can not leave this channel")))
        }

        let outcome = await view.perform(Command(name: "leave"))

        #expect(outcome == .failed(reason: "You can not leave this channel"))
        #expect(view.takeLines().texts == ["! You can not leave this channel"])
    }

    @Test("another channel's name is not taken for this one's")
    func deleteByName() async {
        let view = shown()

        let outcome = await view.perform(Command(name: "delete", positional: ["Cocoa"]))

        #expect(outcome == .failed(reason: "In a channel delete takes no name: it is this one that it deletes."))
        #expect(log.calls.isEmpty)
    }

    @Test("a channel that closes leads to General with the reason, whoever closed it")
    func close() async {
        let view = shown()

        log.duringRequest = { view.displayClose(viewModel: .init(notice: "You have left Tea.")) }
        _ = await view.perform(Command(name: "leave"))
        log.duringRequest = nil
        view.displayClose(viewModel: .init(notice: "Tea has been deleted."))
        await fixture.activity.idle()

        #expect(
            log.calls == [
                .actInChannel(.leave), .toGeneral("You have left Tea."), .toGeneral("Tea has been deleted."),
            ])
    }

    @Test("of two reasons within one request the last one is told")
    func closeTwice() async {
        let view = shown()
        log.duringRequest = {
            view.displayClose(viewModel: .init(notice: "Tea has been deleted."))
            view.displayClose(viewModel: .init(notice: "Tea is deleted, but not everybody has been removed yet."))
        }

        _ = await view.perform(Command(name: "confirm"))

        #expect(
            log.calls == [
                .actInChannel(.confirmDelete), .toGeneral("Tea is deleted, but not everybody has been removed yet."),
            ])
    }

    @Test("a notice is printed below what is there, and stands on the screen until the next command")
    func notice() async {
        let view = fixture.chatroom()
        view.displayNotice(viewModel: .init(line: "You have left Tea."))
        view.displayMessages(viewModel: Sample.chat([.message(Sample.message("hello"))]))

        #expect(view.takeLines().texts == ["Bob", "09:00  Alice  hello", "You have left Tea."])
        #expect(view.screen.texts.last == "You have left Tea.")
        _ = await view.perform(Command(name: "dismiss"))
        #expect(view.screen.texts.last == "09:00  Alice  hello")
    }

    @Test("a draft near the limit shows on the screen in full and in the prompt in tens; nothing is printed")
    func draft() {
        let view = shown()
        func prompt(_ left: Int) -> String {
            view.displayDraft(viewModel: .init(counterText: "\(256 - left) of 256 characters", left: left))
            return view.promptTitle.text
        }

        #expect(
            [56, 50, 49, 10, 9, 0, -1].map(prompt) == [
                "Bob (50+ left)", "Bob (50+ left)", "Bob (40+ left)", "Bob (10+ left)", "Bob (under 10 left)",
                "Bob (under 10 left)", "Bob (too long)",
            ])
        #expect(view.screen.texts.last == "(257 of 256 characters)")
        #expect(view.takeLines().isEmpty)
        view.displayDraft(viewModel: .init(counterText: nil, left: 57))
        #expect(view.promptTitle.text == "Bob")
        #expect(view.screen.texts.last == "09:00  Alice  hello")
    }

    @Test("what is sent is no draft any longer")
    func sent() async {
        let view = shown()
        view.displayDraft(viewModel: .init(counterText: "203 of 256 characters", left: 53))

        _ = await view.perform(Command(name: "send", positional: ["hello"]))

        #expect(view.promptTitle.text == "Bob")
    }
}
