import Foundation

/// What this executable does as a child of itself: everything that is to be measured from outside.
enum Child: String {
    case serve = "--child-serve"
    case bareInsert = "--child-bare-insert"
    case replay = "--child-replay"
    case firstSync = "--child-first-sync"
    case roundTrips = "--child-round-trips"
    case saveSession = "--child-save-session"

    func run(_ arguments: [String]) async throws {
        func argument(_ index: Int) throws -> String {
            guard arguments.indices.contains(index) else { throw BenchError("\(rawValue) lacks an argument") }
            return arguments[index]
        }
        let folder = URL(fileURLWithPath: try argument(0), isDirectory: true)
        switch self {
        case .serve: try await ServerChildren.serve(folder)
        case .bareInsert: try await ServerChildren.insert(folder)
        case .replay: try await ServerChildren.replay(URL(fileURLWithPath: try argument(1)))
        case .firstSync:
            try await ClientChildren.firstSync(
                home: folder, url: try argument(1), user: try argument(2), token: try argument(3))
        case .roundTrips:
            try await ClientChildren.roundTrips(
                url: try argument(1), count: Int(try argument(2)) ?? 0, kind: try argument(3))
        case .saveSession:
            guard let url = URL(string: try argument(1)) else { throw BenchError("no URL") }
            try await ClientChildren.saveSession(home: folder, url: url, user: "@bench:localhost", token: "none")
        }
    }
}
