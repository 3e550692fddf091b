import Foundation
import Models

/// A JSON object kept byte for byte as it was written, checked once: the content of an event, or account data.
struct RawObject: Equatable, Sendable {
    enum Failure: Error, Equatable, Sendable {
        case notJSON
        case notAnObject
        case tooDeep
        case unsafeNumber
    }

    /// Deeper content is refused: a whole sync answer must stay within what clients are willing to read.
    static let depthLimit = 40

    let bytes: [UInt8]
    private let members: [Member]

    private struct Member: Equatable, Sendable {
        var name: String
        var range: Range<Int>
    }

    static let empty = RawObject(trusted: Array("{}".utf8))

    init(_ data: Data, numbers: JSONScanner.Numbers = .integersOnly) throws(Failure) {
        try self.init([UInt8](data), numbers: numbers)
    }

    init(_ bytes: [UInt8], numbers: JSONScanner.Numbers = .integersOnly) throws(Failure) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .notJSON }
        var scanner = JSONScanner(bytes, numbers: numbers, depthLimit: Self.depthLimit)
        var members: [Member] = []
        scanner.skipSpace()
        let start = scanner.index
        do throws(JSONScanner.Failure) {
            try scanner.value {
                members.append(Member(name: $0, range: ($1.lowerBound - start)..<($1.upperBound - start)))
            }
        } catch .tooDeep {
            throw .tooDeep
        } catch .unsafeNumber {
            throw .unsafeNumber
        } catch {
            throw .notJSON
        }
        let end = scanner.index
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .notJSON }
        guard bytes[start] == UInt8(ascii: "{") else { throw .notAnObject }
        self.bytes = start == 0 && end == bytes.count ? bytes : Array(bytes[start..<end])
        self.members = members
    }

    /// What this server has stored or written itself; empty where it turns out not to be an object.
    init(trusted bytes: [UInt8]) {
        if let object = try? RawObject(bytes, numbers: .any) {
            self = object
        } else {
            self.bytes = Array("{}".utf8)
            members = []
        }
    }

    /// The bytes of the value of the member `name`; the last where several have that name.
    subscript(raw name: String) -> ArraySlice<UInt8>? {
        members.last { $0.name == name }.map { bytes[$0.range] }
    }

    /// The text of the member `name`; nil where it is absent or no text.
    subscript(name: String) -> String? {
        guard let value = self[raw: name], value.first == UInt8(ascii: "\"") else { return nil }
        return JSONScanner.decoded(value)
    }

    func object(_ name: String) -> RawObject? {
        guard let value = self[raw: name], value.first == UInt8(ascii: "{") else { return nil }
        return RawObject(trusted: Array(value))
    }

    func integer(_ name: String) -> Int64? {
        self[raw: name].flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }

    /// Names and values of all members that are integers.
    var integers: [String: Int64] {
        var result: [String: Int64] = [:]
        for member in members {
            result[member.name] = Int64(String(decoding: bytes[member.range], as: UTF8.self))
        }
        return result
    }

    var names: [String] { members.map(\.name) }
}

extension RawObject {
    /// The body of a request, with failures as the Matrix API answers them.
    init(matrix data: Data, numbers: JSONScanner.Numbers = .integersOnly) throws(MatrixError) {
        do throws(Failure) {
            try self.init(data, numbers: numbers)
        } catch {
            throw switch error {
            case .notJSON: .notJSON
            case .notAnObject: .badJSON("The body has to be a JSON object.")
            case .tooDeep: .badJSON("The content is nested more than \(Self.depthLimit) levels deep.")
            case .unsafeNumber: .badJSON("Numbers have to be integers between -(2^53 - 1) and 2^53 - 1.")
            }
        }
    }

    /// The whole as a value.
    var value: JSONValue { (try? JSONValue(parsing: Data(bytes))) ?? .object([:]) }
}
