/// Numbers of one kind, from the same measurement made again and again.
struct Sample {
    /// Ascending.
    private let values: [Double]

    init(_ values: [Double]) { self.values = values.sorted() }

    var count: Int { values.count }
    var median: Double { percentile(50) }
    var largest: Double { values.last ?? 0 }

    /// The smallest value that at least `percent` of all do not exceed.
    func percentile(_ percent: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let rank = (percent / 100 * Double(values.count)).rounded(.up)
        return values[min(max(Int(rank) - 1, 0), values.count - 1)]
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
    var milliseconds: Double { self / .milliseconds(1) }
}

/// How long `work` takes.
func timed(_ work: () throws -> Void) rethrows -> Duration {
    let start = ContinuousClock.now
    try work()
    return start.duration(to: .now)
}

/// The median of five.
func medianOf(_ repeats: Int, _ measure: () throws -> Double) rethrows -> Double {
    var values: [Double] = []
    for _ in 0..<repeats { values.append(try measure()) }
    return Sample(values).median
}
