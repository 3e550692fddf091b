import Foundation
import Models

/// What names, addresses and passwords must be like, and how they are compared.
enum AccountRules {
    static let nameLimit = 255
    static let emailLimit = 255
    static let passwordLength = 6...1_024

    /// Without blanks around it. Nil where nothing is left.
    static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// What is wrong with a name; nil where nothing is.
    static func problem(name: String) -> String? {
        if trimmed(name).isEmpty { return "A name is required." }
        if name.unicodeScalars.count > nameLimit { return "A name may have at most \(nameLimit) characters." }
        return nil
    }

    /// What is wrong with an e-mail address; nil where nothing is.
    static func problem(email: String) -> String? {
        let email = trimmed(email)
        if email.isEmpty { return "An e-mail address is required." }
        if email.unicodeScalars.count > emailLimit {
            return "An e-mail address may have at most \(emailLimit) characters."
        }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        let isVisible = email.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
                && scalar.properties.generalCategory != .format
        }
        guard parts.count == 2, isVisible, let domain = parts.last, !parts[0].isEmpty, !domain.isEmpty,
            domain.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
        else { return "This is not an e-mail address." }
        return nil
    }

    /// What is wrong with a password; nil where nothing is. Length is in bytes.
    static func problem(password: Secret) -> String? {
        let length = password.reveal().utf8.count
        if length == 0 { return "A password is required." }
        if length < passwordLength.lowerBound {
            return "A password needs at least \(passwordLength.lowerBound) bytes."
        }
        if length > passwordLength.upperBound {
            return "A password may have at most \(passwordLength.upperBound) bytes."
        }
        return nil
    }

    /// The form in which addresses are stored and compared: without case, composed.
    static func folded(email: String) -> String {
        trimmed(email).lowercased().precomposedStringWithCanonicalMapping
    }
}

/// The part of a Matrix id before the colon. Matrix client-server API, appendix "User Identifiers".
enum LocalPart {
    /// Characters kept of a name; the suffix comes on top.
    private static let stemLimit = 24
    static let suffixLength = 6

    /// A new one for a person called `name`. The random suffix keeps two people of one name apart, and makes that nobody
    /// can tell an id from an address.
    static func make(from name: String, _ identifiers: any IdentifierSource) -> String {
        let plain = name.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
        var stem = ""
        for scalar in plain {
            if isLetterOrDigit(scalar) {
                stem.unicodeScalars.append(scalar)
            } else if scalar.properties.isWhitespace, !stem.isEmpty, !stem.hasSuffix("-") {
                stem += "-"
            }
        }
        stem = String(stem.prefix(stemLimit))
        while stem.hasSuffix("-") { stem.removeLast() }
        return "\(stem.isEmpty ? "user" : stem)-\(identifiers.next(length: suffixLength))"
    }

    /// Whether new accounts may have it.
    static func isValid(_ text: String, serverName: String) -> Bool {
        !text.isEmpty && "@\(text):\(serverName)".utf8.count <= 255
            && text.unicodeScalars.allSatisfy { isLetterOrDigit($0) || "._=-/+".unicodeScalars.contains($0) }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }
}

/// The name that follows the colon in every id of this server.
enum ServerName {
    /// A host name without a port. Matrix client-server API, appendix "Server Name".
    static func isValid(_ name: String) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return name.utf8.count <= 200
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.unicodeScalars.allSatisfy {
                        ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "-"
                    }
            }
    }
}
