import Testing

@testable import TextUI

@Suite("KeyDecoder and LineEditor")
struct LineEditorTests {
    /// Types bytes; the lines that were submitted and the editor after it.
    private func type(_ input: String, into editor: LineEditor = LineEditor()) -> (lines: [String], editor: LineEditor)
    {
        var (decoder, editor, lines) = (KeyDecoder(), editor, [String]())
        for key in decoder.keys(in: input.utf8) {
            if case .submit(let line)? = editor.handle(key) { lines.append(line) }
        }
        return (lines, editor)
    }

    @Test("what is typed is submitted with Enter")
    func submit() {
        let (lines, editor) = type("hello 👋\nwhö\r")

        #expect(lines == ["hello 👋", "whö"])
        #expect(editor.text == "")
    }

    @Test("keys that arrive in pieces are whole keys")
    func pieces() {
        var decoder = KeyDecoder()
        let bytes = Array("é\u{1B}[3~👋".utf8)

        let keys = bytes.flatMap { decoder.keys(in: [$0]) }

        #expect(keys == [.text("é"), .delete, .text("👋")])
    }

    @Test("broken UTF-8 becomes a replacement, and what follows is read")
    func broken() {
        var decoder = KeyDecoder()

        #expect(decoder.keys(in: [0xFF, 0x61]) == [.text("\u{FFFD}"), .text("a")])
        #expect(decoder.keys(in: [0xE2, 0x82, 0x61]) == [.text("\u{FFFD}"), .text("a")])
        #expect(decoder.keys(in: [0xC3, 0x0A]) == [.text("\u{FFFD}"), .enter])
    }

    @Test("sequences that mean nothing vanish")
    func sequences() {
        #expect(type("a\u{1B}[200~b\u{1B}[1;5Pc\u{1B}xd\u{1B}OPe\u{7}\n").lines == ["abcde"])
    }

    @Test("a cluster is erased whole")
    func backspace() {
        #expect(type("ab👨‍👩‍👧\u{7F}\n").lines == ["ab"])
        #expect(type("e\u{301}\u{7F}x\n").lines == ["x"])
        #expect(type("\u{7F}\n").lines == [""])
    }

    @Test("the cursor moves, and text goes in where it stands")
    func cursor() {
        #expect(type("ac\u{1B}[Db\n").lines == ["abc"])
        #expect(type("bc\u{1}a\u{5}d\n").lines == ["abcd"])
        #expect(type("axb\u{1B}[D\u{1B}[D\u{1B}[3~\n").lines == ["ab"])
        #expect(type("one two  \u{17}x\n").lines == ["one x"])
        #expect(type("abc\u{15}d\n").lines == ["d"])
    }

    @Test("earlier lines come back, and the line being typed is kept")
    func history() {
        #expect(type("one\ntwo\n\u{1B}[A\u{1B}[A\n").lines == ["one", "two", "one"])
        #expect(type("one\ndra\u{1B}[A\u{1B}[Bft\n").lines == ["one", "draft"])
    }

    @Test("a secret shows nothing and goes into no history")
    func hidden() {
        var editor = LineEditor()
        editor.isHidden = true
        var (lines, after) = type("secret-one", into: editor)
        #expect(after.shown(columns: 40).text == "")
        (lines, after) = type("\n", into: after)
        #expect(lines == ["secret-one"])

        after.isHidden = false

        #expect(type("\u{1B}[A\n", into: after).lines == [""])
    }

    @Test("Ctrl-D ends an empty line alone")
    func end() {
        var editor = LineEditor()

        #expect(editor.handle(.text("a")) == .changed)
        #expect(editor.handle(.endOfInput) == nil)
        #expect(editor.handle(.backspace) == .changed)
        #expect(editor.handle(.endOfInput) == .end)
    }

    @Test("a line that is too long shows what stands around the cursor")
    func shown() {
        let (_, editor) = type("abcdefghij")
        #expect(editor.shown(columns: 20) == ("abcdefghij", 10))
        #expect(editor.shown(columns: 6) == ("…ghij", 5))
        let (_, moved) = type("abcdefghij\u{1}")
        #expect(moved.shown(columns: 6) == ("abcd…", 0))
        #expect(editor.shown(columns: 1) == ("", 0))
        #expect(type("a\tb").editor.shown(columns: 9).text == "a␉b")
    }
}
