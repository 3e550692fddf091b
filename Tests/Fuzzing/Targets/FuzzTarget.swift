/// What is fed with bytes that nobody has thought of, by a fuzzer or from the kept corpus.
enum FuzzTarget: String, CaseIterable, Sendable {
    case script, sync, sanitiser, routes

    /// What is wrong with how `input` was taken; nil where nothing is. A trap is a finding as well.
    func problem(with input: [UInt8]) async -> String? {
        switch self {
        case .script: ScriptTarget.problem(with: input)
        case .sync: SyncTarget.problem(with: input)
        case .sanitiser: SanitiserTarget.problem(with: input)
        case .routes: await RoutesTarget.shared.problem(with: input)
        }
    }
}
