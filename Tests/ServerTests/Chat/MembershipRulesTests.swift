import Models
import Testing

@testable import Server

@Suite("MembershipRules")
struct MembershipRulesTests {
    private let ann = UserID("@ann:ex.org")
    private let bob = UserID("@bob:ex.org")

    private func facts(
        from: Membership?, isSelf: Bool = false, isPublic: Bool = false, power: Int64 = 100
    ) -> MembershipRules.Facts {
        var levels = PowerLevels(content: nil, creator: ann)
        levels.users = [ann.raw: power]
        levels.invite = 50
        return MembershipRules.Facts(
            sender: isSelf ? bob : ann, senderMembership: isSelf ? from : .join, target: bob, targetMembership: from,
            isPublic: isPublic, power: levels)
    }

    private func isAllowed(_ verdict: MembershipRules.Verdict) -> Bool { verdict == .allowed }

    @Test("joining needs a public room or an invitation, and no ban")
    func join() {
        #expect(MembershipRules.verdict(.join, facts(from: nil, isSelf: true, isPublic: true)) == .allowed)
        #expect(MembershipRules.verdict(.join, facts(from: .invite, isSelf: true)) == .allowed)
        #expect(MembershipRules.verdict(.join, facts(from: .join, isSelf: true)) == .unchanged)
        for from in [nil, .leave] as [Membership?] {
            #expect(!isAllowed(MembershipRules.verdict(.join, facts(from: from, isSelf: true))))
        }
        #expect(!isAllowed(MembershipRules.verdict(.join, facts(from: .ban, isSelf: true, isPublic: true))))
        #expect(!isAllowed(MembershipRules.verdict(.join, facts(from: .invite))))
    }

    @Test("inviting needs power, and somebody who is neither in nor banned")
    func invite() {
        #expect(MembershipRules.verdict(.invite, facts(from: nil)) == .allowed)
        #expect(MembershipRules.verdict(.invite, facts(from: .leave)) == .allowed)
        #expect(MembershipRules.verdict(.invite, facts(from: .invite)) == .unchanged)
        #expect(!isAllowed(MembershipRules.verdict(.invite, facts(from: .join))))
        #expect(!isAllowed(MembershipRules.verdict(.invite, facts(from: .ban))))
        #expect(!isAllowed(MembershipRules.verdict(.invite, facts(from: nil, power: 49))))
    }

    @Test("leaving is free, twice is no failure, and a ban is not left")
    func leave() {
        #expect(MembershipRules.verdict(.leave, facts(from: .join, isSelf: true)) == .allowed)
        #expect(MembershipRules.verdict(.leave, facts(from: .invite, isSelf: true)) == .allowed)
        #expect(MembershipRules.verdict(.leave, facts(from: .leave, isSelf: true)) == .unchanged)
        #expect(!isAllowed(MembershipRules.verdict(.leave, facts(from: .ban, isSelf: true))))
        #expect(!isAllowed(MembershipRules.verdict(.leave, facts(from: nil, isSelf: true))))
    }

    @Test("kicking, banning and lifting a ban need the level and more power than the other")
    func power() {
        for from in [.join, .invite] as [Membership] {
            #expect(MembershipRules.verdict(.leave, facts(from: from)) == .allowed)
            #expect(!isAllowed(MembershipRules.verdict(.leave, facts(from: from, power: 49))))
        }
        for from in [nil, .leave, .invite, .join] as [Membership?] {
            #expect(MembershipRules.verdict(.ban, facts(from: from)) == .allowed)
            #expect(!isAllowed(MembershipRules.verdict(.ban, facts(from: from, power: 49))))
        }
        #expect(MembershipRules.verdict(.ban, facts(from: .ban)) == .unchanged)
        #expect(MembershipRules.verdict(.leave, facts(from: .ban)) == .allowed)
        var equal = facts(from: .join)
        equal.power.users[bob.raw] = 100
        #expect(!isAllowed(MembershipRules.verdict(.leave, equal)))
        #expect(!isAllowed(MembershipRules.verdict(.ban, equal)))
    }

    @Test("whoever is not in the room changes nothing in it")
    func outside() {
        for wanted in [.invite, .leave, .ban] as [Membership] {
            var facts = facts(from: .invite)
            facts.senderMembership = .leave
            #expect(MembershipRules.verdict(wanted, facts) == .refused(.notInRoom))
        }
    }

    @Test("a record remembers when a stay began and ended")
    func record() {
        let invited = MembershipRecord.after(nil, .invite, at: 5)
        let joined = MembershipRecord.after(invited, .join, at: 7)
        let renamed = MembershipRecord.after(joined, .join, at: 9)
        let left = MembershipRecord.after(renamed, .leave, at: 11)

        #expect(invited == MembershipRecord(membership: .invite, position: 5, invitedAt: 5))
        #expect(renamed == MembershipRecord(membership: .join, position: 9, invitedAt: 5, joinedAt: 7))
        #expect(left == MembershipRecord(membership: .leave, position: 11, invitedAt: 5, joinedAt: 7, leftAt: 11))
        #expect(left.hasJustLeft)
        #expect(!MembershipRecord.after(invited, .leave, at: 6).hasJustLeft)
    }
}
