import Foundation
import Models

/// The body of a request to the Words API: fields by name.
struct WordsBody: Sendable {
    private let fields: [String: JSONValue]

    /// Reads JSON, and forms too where `takesForms`. An empty body has no fields. Throws `WordsError`: 415 for another
    /// content type, 400 for what is no JSON object.
    init(_ request: HTTPRequest, takesForms: Bool = false) throws(WordsError) {
        guard !request.body.isEmpty else {
            fields = [:]
            return
        }
        let type = (request.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
            .trimmingCharacters(in: .whitespaces)
        switch type {
        case "application/json": fields = try Self.json(request.body)
        case "application/x-www-form-urlencoded" where takesForms: fields = try Self.form(request.body)
        default: throw .wrongContentType
        }
    }

    private static func json(_ body: Data) throws(WordsError) -> [String: JSONValue] {
        do {
            guard let fields = try JSONValue(parsing: body).object else {
                throw WordsError(400, "The body must be a JSON object.")
            }
            return fields
        } catch let error as WordsError {
            throw error
        } catch {
            throw .notJSON
        }
    }

    private static func form(_ body: Data) throws(WordsError) -> [String: JSONValue] {
        guard let text = String(validating: body, as: UTF8.self),
            let pairs = PercentEncoding.decodeForm(text[...])
        else { throw WordsError(400, "The form is not UTF-8.") }
        return Dictionary(pairs.map { ($0.name, .string($0.value)) }) { _, last in last }
    }

    /// Whether the field is there and not null.
    func has(_ name: String) -> Bool { fields[name].map { !$0.isNull } ?? false }

    /// Empty where the field is missing. Throws 422 where it is no text.
    func text(_ name: String) throws(WordsError) -> String {
        guard let value = fields[name], !value.isNull else { return "" }
        guard let text = value.string else { throw .invalid([name: ["The field \(name) must be text."]]) }
        return text
    }

    func secret(_ name: String) throws(WordsError) -> Secret { Secret(try text(name)) }

    /// A text, or a number as a text: some clients send numbers where others send digits.
    func textOrNumber(_ name: String) -> String? {
        switch fields[name] {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }
}
