/// A key as a terminal sends it.
enum Key: Equatable, Sendable {
    /// A printable scalar, or a joiner.
    case text(UnicodeScalar)
    case enter
    case backspace, delete, eraseLine, eraseWord
    case left, right, home, end, up, down
    /// Ctrl-L.
    case redraw
    /// Ctrl-D.
    case endOfInput
}

/// Turns bytes into keys. UTF-8 that is broken becomes U+FFFD; sequences and controls that mean nothing here vanish.
struct KeyDecoder {
    private enum State {
        case ground
        /// After ESC.
        case escape
        /// After ESC [; the parameters so far.
        case control([UInt8])
        /// After ESC O.
        case single
        /// Within a scalar: its bytes so far and how many are to come.
        case scalar([UInt8], Int)
    }

    private var state = State.ground

    mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] { bytes.flatMap { keys(for: $0) } }

    private mutating func keys(for byte: UInt8) -> [Key] {
        switch state {
        case .ground: return ground(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .control([])
            case UInt8(ascii: "O"): state = .single
            case 0x1B: break
            default: state = .ground
            }
            return []
        case .control(let parameters):
            if byte == 0x1B {
                state = .escape
            } else if (0x40...0x7E).contains(byte) {
                state = .ground
                return [Self.key(final: byte, parameters)].compactMap { $0 }
            } else if byte < 0x20 || parameters.count > 16 {
                state = .ground
            } else {
                state = .control(parameters + [byte])
            }
            return []
        case .single:
            state = .ground
            return [Self.key(final: byte, [])].compactMap { $0 }
        case .scalar(let bytes, let missing): return continued(bytes + [byte], missing - 1)
        }
    }

    private mutating func ground(_ byte: UInt8) -> [Key] {
        switch byte {
        case 0x0A, 0x0D: return [.enter]
        case 0x7F, 0x08: return [.backspace]
        case 0x01: return [.home]
        case 0x02: return [.left]
        case 0x04: return [.endOfInput]
        case 0x05: return [.end]
        case 0x06: return [.right]
        case 0x0C: return [.redraw]
        case 0x0E: return [.down]
        case 0x10: return [.up]
        case 0x15: return [.eraseLine]
        case 0x17: return [.eraseWord]
        case 0x1B:
            state = .escape
            return []
        case 0x09: return [.text("\t")]
        case 0..<0x20: return []
        case 0x20..<0x7F: return [.text(UnicodeScalar(byte))]
        case 0xC2...0xDF: state = .scalar([byte], 1)
        case 0xE0...0xEF: state = .scalar([byte], 2)
        case 0xF0...0xF4: state = .scalar([byte], 3)
        default: return [.text("\u{FFFD}")]
        }
        return []
    }

    private mutating func continued(_ bytes: [UInt8], _ missing: Int) -> [Key] {
        guard let last = bytes.last, (0x80...0xBF).contains(last) else {
            state = .ground
            return [.text("\u{FFFD}")] + (bytes.last.map { ground($0) } ?? [])
        }
        guard missing == 0 else {
            state = .scalar(bytes, missing)
            return []
        }
        state = .ground
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.map { .text($0) }
    }

    private static func key(final: UInt8, _ parameters: [UInt8]) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "~"):
            switch String(decoding: parameters, as: UTF8.self) {
            case "1", "7": .home
            case "4", "8": .end
            case "3": .delete
            default: nil
            }
        default: nil
        }
    }
}
