import Models
import Workers

/// The server's words about a form, parted into what belongs beside a field and what belongs to none.
struct FieldTexts<Field: Hashable> {
    private(set) var beside: [Field: [RemoteText]] = [:]
    /// What is left to be said in general; nil where every word stands beside a field.
    private(set) var rest: UsersError?

    /// - Parameter field: The field of the form by the name that the server gives it.
    init(_ error: UsersError, field: (String) -> Field?) {
        guard case .invalid(let message, let fields) = error else {
            rest = error
            return
        }
        var others: [String: [RemoteText]] = [:]
        for (name, texts) in fields.sorted(by: { $0.key < $1.key }) {
            let visible = texts.filter { Visible.hasAnything($0.unsanitised) }
            guard !visible.isEmpty else { continue }
            if let field = field(name) { beside[field, default: []] += visible } else { others[name] = visible }
        }
        if beside.isEmpty || !others.isEmpty { rest = .invalid(message: message, fields: others) }
    }
}
