import Foundation

extension MatrixShapes {
    /// `GET /_matrix/client/v3/sync`.
    ///
    /// The whole is checked at once. Its rooms are read part by part, when they are asked for: a first answer may bear
    /// thousands, which as values take many times the memory of their text.
    public struct Sync: Sendable {
        public private(set) var next_batch = ""
        public private(set) var account_data: [MapEvent] = []
        public private(set) var presence: [Event] = []
        private let body: Data
        private var places: [Place] = []

        /// Some rooms of a batch, still as text.
        public struct Part: Sendable {
            fileprivate let places: ArraySlice<Place>
        }

        fileprivate enum Standing: Comparable { case joined, invited, left }

        /// Where a room stands in the text.
        fileprivate struct Place: Sendable {
            var standing: Standing
            var id: RoomID
            var range: Range<Int>
        }

        private enum Key: String, JSONKey {
            case next_batch, rooms, account_data, presence
            static let names = JSONNames<Key>()
        }

        private enum RoomsKey: String, JSONKey {
            case join, invite, leave
            static let names = JSONNames<RoomsKey>()
        }

        /// Nil for what is no JSON in UTF-8, nests deeper than `JSONValue.depthLimit`, or has no position.
        public init?(_ body: Data) {
            self.body = body
            let position = JSONReader.read(body) { reader -> String? in
                var position: String?
                reader.object { (key: Key, value) in
                    switch key {
                    case .next_batch: position = value.read()
                    case .rooms: findRooms(&value)
                    case .account_data: account_data = value.read(Events<MapEvent>.self)?.events ?? []
                    case .presence: presence = value.read(Events<Event>.self)?.events ?? []
                    }
                }
                return position
            }
            guard let position else { return nil }
            next_batch = position
            places = Self.ordered(places)
        }

        /// Of several with one id the first counts.
        private static func ordered(_ places: [Place]) -> [Place] {
            var seen: [Standing: Set<RoomID>] = [:]
            return places.filter { seen[$0.standing, default: []].insert($0.id).inserted }
                .sorted { ($0.standing, $0.id) < ($1.standing, $1.id) }
        }

        private mutating func findRooms(_ reader: inout JSONReader) {
            reader.object { (key: RoomsKey, rooms) in
                let standing: Standing =
                    switch key {
                    case .join: .joined
                    case .invite: .invited
                    case .leave: .left
                    }
                rooms.members { id, room in
                    let isObject = room.isAtObject
                    let range = room.skip()
                    if isObject { places.append(Place(standing: standing, id: RoomID(id), range: range)) }
                }
            }
        }

        /// How much text is read at a time, in bytes: small enough for memory, large enough that a batch of some news is one
        /// part.
        public static let partSize = 512 * 1_024

        /// All rooms, in the order in which they are to be worked in: those that one is in, invited to, and has left,
        /// each by their ids.
        public func parts(of size: Int = partSize) -> [Part] {
            var parts: [Part] = []
            var (start, length) = (places.startIndex, 0)
            for index in places.indices {
                length += places[index].range.count
                guard length >= size || index == places.count - 1 else { continue }
                parts.append(Part(places: places[start...index]))
                (start, length) = (index + 1, 0)
            }
            return parts
        }

        public func rooms(in part: Part) -> SyncRooms {
            var rooms = SyncRooms()
            for place in part.places {
                switch place.standing {
                case .joined: rooms.joined += read(place)
                case .invited: rooms.invited += read(place)
                case .left: rooms.left += read(place)
                }
            }
            return rooms
        }

        private func read<News: JSONReadable>(_ place: Place) -> [RoomNews<News>] {
            let news: News? = JSONReader.read(body, in: place.range) { $0.read() }
            return news.map { [RoomNews(id: place.id, news: $0)] } ?? []
        }

        public var joinedRooms: [RoomID] { places.filter { $0.standing == .joined }.map(\.id) }
        public var invitedRooms: [RoomID] { places.filter { $0.standing == .invited }.map(\.id) }
    }

    /// What a part of a batch tells of its rooms.
    public struct SyncRooms: Equatable, Sendable {
        public var joined: [RoomNews<JoinedRoom>] = []
        public var invited: [RoomNews<InvitedRoom>] = []
        public var left: [RoomNews<LeftRoom>] = []

        package init() {}

        public var ids: [RoomID] { joined.map(\.id) + invited.map(\.id) + left.map(\.id) }
    }

    public struct RoomNews<News: Equatable & Sendable>: Equatable, Sendable {
        public var id: RoomID
        public var news: News

        package init(id: RoomID, news: News) {
            self.id = id
            self.news = news
        }
    }
}
