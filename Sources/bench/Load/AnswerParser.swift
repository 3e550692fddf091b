/// Finds the end of one answer in the bytes as they come. RFC 9112: a length, chunks, or no body at all.
struct AnswerParser {
    private enum Framing {
        case head
        case length(Int)
        case chunks
    }

    private var bytes: [UInt8] = []
    private var framing = Framing.head
    private var status = 0
    private var bodyStart = 0
    /// Where the next chunk's size stands.
    private var chunkStart = 0
    private var chunks: [UInt8] = []

    /// Takes what has come. Status and body once the answer is whole; the parser is then ready for the next.
    mutating func add(_ part: UnsafeRawBufferPointer) throws -> (status: Int, body: [UInt8])? {
        bytes.append(contentsOf: part)
        if case .head = framing, try !readHead() { return nil }
        switch framing {
        case .head: return nil
        case .length(let length):
            guard bytes.count - bodyStart >= length else { return nil }
            return finish(Array(bytes[bodyStart..<(bodyStart + length)]))
        case .chunks: return try readChunks() ? finish(chunks) : nil
        }
    }

    private mutating func finish(_ body: [UInt8]) -> (status: Int, body: [UInt8]) {
        defer { self = AnswerParser() }
        return (status, body)
    }

    private mutating func readHead() throws -> Bool {
        guard let end = Self.find([13, 10, 13, 10], in: bytes, from: max(0, bodyStart - 3)) else {
            bodyStart = bytes.count
            return false
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let parts = (lines.first ?? "").split(separator: " ")
        guard parts.count >= 2, let status = Int(parts[1]) else { throw BenchError("an answer that is not HTTP") }
        self.status = status
        bodyStart = end + 4
        chunkStart = bodyStart
        framing = .length(0)
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingPrefix(while: \.isWhitespace)
            switch line[..<colon].lowercased() {
            case "content-length": framing = .length(Int(value) ?? 0)
            case "transfer-encoding": framing = .chunks
            default: break
            }
        }
        return true
    }

    /// Whether the last chunk has come.
    private mutating func readChunks() throws -> Bool {
        while let lineEnd = Self.find([13, 10], in: bytes, from: chunkStart) {
            let line = String(decoding: bytes[chunkStart..<lineEnd], as: UTF8.self)
            guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else {
                throw BenchError("a chunk without a size")
            }
            let start = lineEnd + 2
            guard bytes.count >= start + size + 2 else { return false }
            if size == 0 { return true }
            chunks += bytes[start..<(start + size)]
            chunkStart = start + size + 2
        }
        return false
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            var index = start
            let last = bytes.count - pattern.count
            while index <= last {
                if bytes[index] == pattern[0], pattern.indices.allSatisfy({ bytes[index + $0] == pattern[$0] }) {
                    return index
                }
                index += 1
            }
            return nil
        }
    }
}
