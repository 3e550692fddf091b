/// What is wrong with something typed into a field, found before anything was sent.
public enum FieldFault: Equatable, Sendable {
    case missing
    /// More than `limit` characters.
    case tooLong(limit: Int)
    case malformedEmail
    /// Not what the server's accounts can be called.
    case malformedUserName
    /// An address where user names are used.
    case address
    /// Outside these numbers of bytes.
    case length(ClosedRange<Int>)
}
