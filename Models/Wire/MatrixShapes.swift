/// The JSON shapes of the Matrix client-server API as far as Words reads them: slim, and lenient about what others wrote.
public enum MatrixShapes {
    /// Client-server API, "Standard error response".
    public struct Failure: Codable, Equatable, Sendable {
        public var errcode: String?
        public var error: RemoteText?
        public var retry_after_ms: Int64?
        public var soft_logout: Bool?

        public init(
            errcode: String, error: RemoteText, retry_after_ms: Int64? = nil, soft_logout: Bool? = nil
        ) {
            self.errcode = errcode
            self.error = error
            self.retry_after_ms = retry_after_ms
            self.soft_logout = soft_logout
        }
    }

    /// `GET /_matrix/client/versions`.
    public struct Versions: Codable, Equatable, Sendable {
        public var versions: [String]
        public var unstable_features: [String: Bool]?

        /// The key in `unstable_features` by which a Words server makes itself known.
        public static let wordsFeature = "org.words.api"

        public init(versions: [String], unstable_features: [String: Bool]) {
            self.versions = versions
            self.unstable_features = unstable_features
        }
    }

    public struct EventIDAnswer: Codable, Equatable, Sendable {
        public var event_id: EventID
        public init(event_id: EventID) { self.event_id = event_id }
    }

    public struct RoomIDAnswer: Codable, Equatable, Sendable {
        public var room_id: RoomID
        public init(room_id: RoomID) { self.room_id = room_id }
    }
}
