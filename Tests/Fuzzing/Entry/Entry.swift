import Foundation

/// The target that `WORDS_FUZZ_TARGET` names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["WORDS_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        // Nobody waits for an error here: libFuzzer calls, and goes on for as long as this process does.
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
        // Only a process that dies is a finding for libFuzzer.
        if let problem = await target.problem(with: input) { fatalError(problem) }
        done.signal()
    }
    done.wait()
    return 0
}
