import Foundation

/// Rooms that the disk remembers, listed while nobody answers.
struct RoomList: Benchmark {
    static let name = "room-list"

    func run(_ setting: Setting, _ report: inout Report) throws {
        var section = Report.Section(
            title: "Rooms from the disk",
            text: """
                `words` with a home that knows so many channels, the server down, from the start of the process until the \
                list is printed.
                """,
            columns: ["rooms", "wall", "peak memory"])
        var walls: [Double] = []
        for rooms in [100, 1_000, 10_000] {
            let (wall, memory) = try measure(setting, rooms)
            walls.append(wall)
            section.rows.append(
                [Figure.number(Double(rooms)), Figure.milliseconds(wall), Figure.mebibytes(memory)])
            guard rooms == 10_000 else { continue }
            report.targets.append(
                .init(
                    what: "10,000 rooms listed from the disk", wanted: "≤ 300 ms", reached: Figure.milliseconds(wall),
                    isMet: wall <= 300))
        }
        report.sections.append(section)
        report.growths.append(
            .init(what: "rooms listed from the disk", from: "1,000 rooms", times: 10, taken: walls[2] / walls[1]))
    }

    private func measure(_ setting: Setting, _ rooms: Int) throws -> (Double, Int) {
        let folder = try ServerProcess.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (home, url) = try fill(folder, rooms)
        var memory = 0
        let wall = try medianOf(setting.repeats) {
            let run = try ChildRun.measure(
                [Executables.beside("words"), "--server", url, "--home", home.path], input: "channels\nquit\n",
                awaiting: "Room \(rooms - 1)")
            memory = run.peakMemory
            guard let first = run.firstOutput else {
                throw BenchError("the list of \(rooms) rooms shows: \(run.output.suffix(300))")
            }
            return first.milliseconds
        }
        return (wall, memory)
    }

    /// A home after a first sync with so many rooms, and the address of a server that is gone.
    private func fill(_ folder: URL, _ rooms: Int) throws -> (URL, String) {
        let file = folder.appendingPathComponent("sync.json")
        let joined = (0..<rooms).map { number in
            """
            "!r\(number):localhost":{"state":{"events":[{"type":"m.room.name","state_key":"","sender":"@bench:localhost",\
            "event_id":"$n\(number)","origin_server_ts":1,"content":{"name":"Room \(number)"}},\
            {"type":"m.room.join_rules","state_key":"","sender":"@bench:localhost","event_id":"$j\(number)",\
            "origin_server_ts":1,"content":{"join_rule":"public"}},\
            {"type":"m.room.member","state_key":"@bench:localhost","sender":"@bench:localhost","event_id":"$m\(number)",\
            "origin_server_ts":1,"content":{"membership":"join","displayname":"Bench"}}]},\
            "timeline":{"events":[{"type":"m.room.message","sender":"@bench:localhost","event_id":"$e\(number)",\
            "origin_server_ts":\(number),"content":{"msgtype":"m.text","body":"hello"}}],"limited":true,\
            "prev_batch":"p\(number)"}}
            """
        }
        let text = #"{"next_batch":"s1","rooms":{"join":{\#(joined.joined(separator: ","))}}}"#
        try Data(text.utf8).write(to: file)
        let server = try ServerProcess.replay(file)
        defer { server.stop() }
        let url = server.url
        let home = folder.appendingPathComponent("home", isDirectory: true)
        let run = try ChildRun.measure(
            [Executables.own, Child.firstSync.rawValue, home.path, url, "@bench:localhost", "token"])
        guard run.status == 0, run.output.contains("\(rooms) rooms") else {
            throw BenchError("a home of \(rooms) rooms could not be made: \(run.output.suffix(300))")
        }
        return (home, url)
    }
}
