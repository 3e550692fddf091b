import Testing

@testable import words

@Suite("Folders")
struct FoldersTests {
    @Test("follows the XDG base directories")
    func set() {
        let folders = Folders(environment: ["XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "HOME": "/h"])

        #expect(folders.data.path == "/d/words/server")
        #expect(folders.home.path == "/s/words")
    }

    @Test("falls back to the home directory, and ignores relative paths")
    func unset() {
        let folders = Folders(environment: ["XDG_DATA_HOME": "relative", "HOME": "/h"])

        #expect(folders.data.path == "/h/.local/share/words/server")
        #expect(folders.home.path == "/h/.local/state/words")
    }

    @Test("where only the data have a place, the session stands beside them")
    func dataOnly() {
        #expect(Folders(environment: ["XDG_DATA_HOME": "/d", "HOME": "/h"]).home.path == "/d/words/client")
    }
}
