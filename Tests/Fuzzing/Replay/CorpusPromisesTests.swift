import Foundation
import Models
import Testing

/// Promise 14, on what fuzzers have found and what they began with: `Tests/Fuzzing/Corpus`, a folder for each target.
@Suite("Fuzzing corpus PromisesTests")
struct CorpusPromisesTests {
    private static let corpus = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Corpus")

    private static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = corpus.appendingPathComponent(target.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0)))) }
    }

    @Test("each input is taken or refused as it should be", arguments: FuzzTarget.allCases)
    func replay(target: FuzzTarget) async throws {
        let inputs = try Self.inputs(of: target)

        #expect(inputs.count >= 5)
        for (name, bytes) in inputs {
            let problem = await target.problem(with: bytes)
            #expect(problem == nil, "\(target.rawValue)/\(name)")
        }
    }

    @Test("each input of the corpus, with bytes changed, cut and doubled, likewise", arguments: FuzzTarget.allCases)
    func mutated(target: FuzzTarget) async throws {
        var generator = SplitMix64(state: 1)
        for (name, bytes) in try Self.inputs(of: target) where !bytes.isEmpty {
            for _ in 0..<40 {
                let input = generator.mutated(bytes)
                let problem = await target.problem(with: input)
                #expect(problem == nil, "\(target.rawValue)/\(name): \(Data(input).base64EncodedString())")
            }
        }
    }
}

extension SplitMix64 {
    fileprivate mutating func next(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    fileprivate mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...next(below: 4) where !bytes.isEmpty {
            let place = next(below: bytes.count)
            switch next(below: 4) {
            case 0: bytes[place] = UInt8(next(below: 256))
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + next(below: 8)))
            case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 16)], at: place)
            default: bytes[place] ^= 1 << UInt8(next(below: 8))
            }
        }
        return bytes
    }
}
