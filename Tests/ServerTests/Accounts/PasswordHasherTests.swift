import Models
import Testing

@testable import Server

@Suite struct PasswordHasherTests {
    private let hasher = PasswordHasher(cost: .low)

    @Test("a hash proves its password and no other, and tells nothing of it")
    func verify() async throws {
        let hash = try await hasher.hash(Secret("secret-öne"))

        #expect(hash.hasPrefix("$argon2id$"))
        #expect(!hash.contains("secret"))
        #expect(try await hasher.verify(Secret("secret-öne"), against: hash))
        #expect(try await !hasher.verify(Secret("secret-one"), against: hash))
        #expect(try await !hasher.verify(Secret(""), against: hash))
    }

    @Test("the same password hashes differently each time")
    func salt() async throws {
        let first = try await hasher.hash(Secret("secret"))
        let second = try await hasher.hash(Secret("secret"))

        #expect(first != second)
    }

    @Test("nothing verifies where there is no hash, or none that can be read")
    func nothing() async throws {
        #expect(try await !hasher.verify(Secret("secret"), against: nil))
        #expect(try await !hasher.verify(Secret("secret"), against: "nonsense"))
    }

    @Test("the default cost is 19 MiB and two passes")
    func cost() async throws {
        let hash = try await PasswordHasher(cost: .interactive).hash(Secret("secret"))

        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    }
}

@Suite struct SodiumTests {
    @Test("tokens are long, differ, and need no escaping")
    func tokens() {
        let tokens = (0..<100).map { _ in Sodium.randomToken().reveal() }

        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil })
    }

    @Test("SHA-256 of the standard's example")
    func sha256() {
        #expect(
            Sodium.sha256("abc").map { String($0, radix: 16) }.joined()
                == "ba7816bf8f1cfea414140de5dae2223b0361a396177a9cb410ff61f2015ad")
    }

    @Test("secrets are equal where all of them is")
    func equality() {
        #expect(Sodium.isEqual(Secret("abc"), Secret("abc")))
        #expect(!Sodium.isEqual(Secret("abc"), Secret("abd")))
        #expect(!Sodium.isEqual(Secret("abc"), Secret("ab")))
    }
}
