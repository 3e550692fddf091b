import Models
import Scenes
import Testing
import TextSnapshots

@testable import TextUI

@Suite("ListChannelsRenderer")
struct ListChannelsRendererTests {
    private func lines(_ list: ListChannels.Fetch.ViewModel, width: Int = 60) -> [String] {
        ListChannelsRenderer.lines(of: list, width: width).texts
    }

    @Test("an empty list says so, a list on its way too")
    func empty() throws {
        try TextSnapshot().compare(lines(Sample.channelList([])), with: "Channels\n  (no channels yet)")
        try TextSnapshot().compare(lines(Sample.channelList([], isLoading: true)), with: "Channels\n  (loading)")
    }

    @Test("a channel of which little is known is a name and a standing")
    func one() throws {
        try TextSnapshot().compare(
            lines(Sample.channelList([Sample.channel(1, "Tea")])),
            with: """
                Channels
                  1  Tea  joined, public
                """)
    }

    @Test("several stand in columns: standing, members, who made it, unread", arguments: [72, 40, 24])
    func several(width: Int) throws {
        try TextSnapshot().compare(lines(Sample.channels, width: width), named: "several-\(width)")
    }

    @Test("a long list keeps its numbers aligned")
    func many() throws {
        let rows = (1...12).map { Sample.channel($0, "Channel \($0)", unread: $0 % 3) }

        try TextSnapshot().compare(lines(Sample.channelList(rows)), named: "many")
    }

    @Test("a long name is cut at a cluster")
    func long() throws {
        let rows = [
            Sample.channel(1, RemoteText(String(repeating: "👨‍👩‍👧", count: 20)), unread: 99_999),
            Sample.channel(2, "日本語の名前はとても長いので切られます", members: "3 members", creator: "by you"),
        ]

        try TextSnapshot().compare(lines(Sample.channelList(rows)), named: "long")
    }

    @Test("hostile names are shown, not obeyed")
    func hostile() throws {
        let rows = [
            Sample.channel(
                1, Sample.hostile, .invited, standing: "invited by \(Sample.hostile)", creator: "by \(Sample.hostile)")
        ]

        try TextSnapshot().compare(lines(Sample.channelList(rows), width: 80), named: "hostile")
    }
}
