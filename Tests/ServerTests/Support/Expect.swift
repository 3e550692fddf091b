import Testing

/// Expects a value that had to be waited for: the macro cannot stand around `try await` in every closure.
func expect<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation
) {
    #expect(actual == expected, comment, sourceLocation: location)
}
