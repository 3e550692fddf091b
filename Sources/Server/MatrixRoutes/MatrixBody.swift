import Foundation
import Models

/// The body of a request to the Matrix API: fields by name. What is null counts as missing.
struct MatrixBody: Sendable {
    let fields: [String: JSONValue]

    /// An empty body is an empty object. Throws `M_NOT_JSON`, or `M_BAD_JSON` for what is no object.
    init(_ request: HTTPRequest) throws(MatrixError) {
        guard !request.body.isEmpty else {
            fields = [:]
            return
        }
        let value: JSONValue
        do { value = try JSONValue(parsing: request.body) } catch .tooDeep {
            throw .badJSON("The body nests deeper than \(JSONValue.depthLimit) levels.")
        } catch {
            throw .notJSON
        }
        guard let object = value.object else { throw .badJSON("The body must be a JSON object.") }
        fields = object.filter { !$0.value.isNull }
    }

    init(fields: [String: JSONValue]) { self.fields = fields.filter { !$0.value.isNull } }

    /// Nil where the field is missing. Throws `M_BAD_JSON` where it is no text.
    func text(_ name: String) throws(MatrixError) -> String? {
        guard let value = fields[name] else { return nil }
        guard let text = value.string else { throw .badJSON("The field \(name) must be text.") }
        return text
    }

    /// Throws `M_MISSING_PARAM` where the field is missing.
    func requiredText(_ name: String) throws(MatrixError) -> String {
        guard let text = try text(name) else { throw .missingParameter(name) }
        return text
    }

    /// Nil where the field is missing. Throws `M_BAD_JSON` where it is neither true nor false.
    func flag(_ name: String) throws(MatrixError) -> Bool? {
        guard let value = fields[name] else { return nil }
        guard let flag = value.bool else { throw .badJSON("The field \(name) must be true or false.") }
        return flag
    }

    /// Nil where the field is missing. Throws `M_BAD_JSON` where it is no whole number.
    func integer(_ name: String) throws(MatrixError) -> Int64? {
        guard let value = fields[name] else { return nil }
        guard let number = value.integer else { throw .badJSON("The field \(name) must be a whole number.") }
        return number
    }

    /// Nil where the field is missing. Throws `M_BAD_JSON` where it is no list.
    func list(_ name: String) throws(MatrixError) -> [JSONValue]? {
        guard let value = fields[name] else { return nil }
        guard let list = value.array else { throw .badJSON("The field \(name) must be a list.") }
        return list
    }

    /// Throws `M_MISSING_PARAM` where the field is missing.
    func requiredObject(_ name: String) throws(MatrixError) -> MatrixBody {
        guard let object = try object(name) else { throw .missingParameter(name) }
        return object
    }

    /// Nil where the field is missing. Throws `M_BAD_JSON` where it is no object.
    func object(_ name: String) throws(MatrixError) -> MatrixBody? {
        guard let value = fields[name] else { return nil }
        guard let object = value.object else { throw .badJSON("The field \(name) must be an object.") }
        return MatrixBody(fields: object)
    }
}
