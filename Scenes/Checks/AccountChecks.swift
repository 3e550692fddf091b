import Foundation
import Models

/// The server's own rules for an account, so that what would be refused is told without asking.
enum AccountChecks {
    static let maximumLength = 255
    static let passwordLength = 6...1_024
    /// Capitals too: the server folds them.
    private static let userNameScalars = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._=-/+".unicodeScalars)

    /// Trimmed; what looks like an e-mail address in lower case. The same at signup and login, so that one gets in again
    /// however one types it. User names and Matrix ids keep their case.
    static func folded(_ identity: String) -> String {
        let trimmed = identity.trimmingCharacters(in: .whitespacesAndNewlines)
        return looksLikeEmail(trimmed) ? trimmed.lowercased() : trimmed
    }

    static func name(_ name: String) -> FieldFault? { required(name) }

    /// - Parameter email: Folded.
    static func email(_ email: String) -> FieldFault? {
        required(email) ?? (isWellFormed(email) ? nil : .malformedEmail)
    }

    /// The wish of somebody who wants an account. Client-server API, "User Identifiers".
    ///
    /// - Parameter userName: Folded.
    static func userName(_ userName: String) -> FieldFault? {
        if let fault = required(userName) { return fault }
        if looksLikeEmail(userName) { return .address }
        let wish = userName.hasPrefix("@") ? userName.dropFirst().prefix { $0 != ":" } : userName[...]
        let isFit = wish.unicodeScalars.allSatisfy(userNameScalars.contains)
        return isFit && !wish.isEmpty ? nil : .malformedUserName
    }

    /// An e-mail address, a user name or a Matrix id.
    ///
    /// - Parameter identity: Folded.
    static func identity(_ identity: String) -> FieldFault? {
        if let fault = required(identity) { return fault }
        return looksLikeEmail(identity) && !isWellFormed(identity) ? .malformedEmail : nil
    }

    static func newPassword(_ password: Secret) -> FieldFault? {
        if password.isEmpty { return .missing }
        return passwordLength.contains(password.reveal().utf8.count) ? nil : .length(passwordLength)
    }

    /// One that exists: it was made by rules that may be another server's.
    static func password(_ password: Secret) -> FieldFault? {
        if password.isEmpty { return .missing }
        return password.reveal().utf8.count <= passwordLength.upperBound ? nil : .length(1...passwordLength.upperBound)
    }

    private static func required(_ text: String) -> FieldFault? {
        guard Visible.hasAnything(text) else { return .missing }
        return text.unicodeScalars.count <= maximumLength ? nil : .tooLong(limit: maximumLength)
    }

    private static func looksLikeEmail(_ text: String) -> Bool { text.contains("@") && !text.hasPrefix("@") }

    /// Something on either side of the one `@`, no empty part of the domain, and no blanks.
    private static func isWellFormed(_ email: String) -> Bool {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        return parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
            && !email.unicodeScalars.contains(where: Visible.isBlank)
    }
}
