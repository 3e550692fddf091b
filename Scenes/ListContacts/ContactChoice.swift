import Foundation
import Models

extension ContactRoster {
    /// Who is meant by `who`: the number of a row, an id, a name as shown or as they call themselves, or an e-mail
    /// address. A name that could be another contact's too is told with the ids and not guessed.
    func choose(_ who: String) -> ListContacts.ChosenContact {
        let text = who.trimmingCharacters(in: .whitespacesAndNewlines)
        let number = text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        if let number, standings.indices.contains(number - 1) { return found(standings[number - 1]) }
        if let standing = standings.first(where: { $0.id == UserID(text) }) { return found(standing) }
        if let choice = byName(text) ?? byShownName(text) { return choice }
        let address = AccountChecks.folded(text)
        if let standing = standings.first(where: { $0.contact.user.email?.unsanitised.lowercased() == address }) {
            return found(standing)
        }
        return number.map { .noSuchRow($0, count: standings.count) } ?? .nobody(text)
    }

    private func byName(_ text: String) -> ListContacts.ChosenContact? {
        let wanted = Self.plain(text)
        guard !wanted.isEmpty, let first = standings.first(where: { Self.plain($0.name.unsanitised) == wanted })
        else { return nil }
        let skeleton = NameSkeleton(first.name)
        let alike = standings.filter { NameSkeleton($0.name) == skeleton }
        return alike.count == 1 ? found(first) : .ambiguous(text, alike.map(\.id))
    }

    /// By a name that shows the id as well.
    private func byShownName(_ text: String) -> ListContacts.ChosenContact? {
        guard text.hasSuffix(")") else { return nil }
        let book = NameBook(people)
        return standings.first { book.name(of: $0.id) == RemoteText(text) }.map(found)
    }

    private func found(_ standing: ListContacts.ContactStanding) -> ListContacts.ChosenContact {
        .found(standing.id, standing.contact.room.id, people: people)
    }

    /// Blind to case and to what cannot be seen.
    private static func plain(_ name: String) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: name.unicodeScalars.filter { !Visible.isBlank($0) || $0 == " " })
        return Visible.trimmed(String(result)).lowercased()
    }
}
