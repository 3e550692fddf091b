import Foundation

/// Writes JSON straight into bytes, so that what is stored as JSON is passed on without being read again.
struct JSONBuffer {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    var data: Data { Data(bytes) }

    mutating func object(_ body: (inout JSONBuffer) throws -> Void) rethrows {
        try enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    mutating func array(_ body: (inout JSONBuffer) throws -> Void) rethrows {
        try enclosed(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// The name of the member whose value is written next.
    mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func string(_ value: String) {
        separate()
        quote(value)
        needsComma = true
    }

    mutating func integer(_ value: some BinaryInteger) { raw(Array(String(value).utf8)) }

    mutating func bool(_ value: Bool) { raw(Array((value ? "true" : "false").utf8)) }

    /// A value that is JSON already, or members without their braces.
    mutating func raw(_ value: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    mutating func member(_ name: String, _ value: some BinaryInteger) {
        self.name(name)
        integer(value)
    }

    mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    private mutating func enclosed(
        _ open: UInt8, _ close: UInt8, _ body: (inout JSONBuffer) throws -> Void
    ) rethrows {
        separate()
        bytes.append(open)
        needsComma = false
        try body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func separate() { if needsComma { bytes.append(UInt8(ascii: ",")) } }

    private mutating func quote(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension HTTPResponse {
    /// An answer whose body is an object written by `body`.
    static func object(_ status: Int = 200, _ body: (inout JSONBuffer) throws -> Void) rethrows -> HTTPResponse {
        var buffer = JSONBuffer()
        try buffer.object(body)
        return .json(status, data: buffer.data)
    }
}
