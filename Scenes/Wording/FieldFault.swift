/// What is wrong with something typed into a field, found before anything was sent.
public enum FieldFault: Equatable, Sendable {
    case missing
    /// More than `limit` characters.
    case tooLong(limit: Int)
    case malformedEmail
    /// Outside these numbers of bytes.
    case length(ClosedRange<Int>)
}
