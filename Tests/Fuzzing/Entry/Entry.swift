import Foundation

/// The target that `WORDS_FUZZ_TARGET` names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["WORDS_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("WORDS_FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
}()

/// What libFuzzer calls with each input. A problem ends the process, so that the input is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        if let problem = await target.problem(with: input) { fatalError(problem) }
        done.signal()
    }
    done.wait()
    return 0
}
