import Foundation

/// How large a test is: small enough for every change, or as large as `make soak` makes it.
enum Soak {
    static let isFull = ProcessInfo.processInfo.environment["WORDS_SOAK"] == "full"

    static func size<Size>(_ usual: Size, full: Size) -> Size { isFull ? full : usual }
}
