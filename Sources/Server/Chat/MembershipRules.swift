import Models

/// A person's standing in a room and since when, at positions of the stream; 0 is never.
struct MembershipRecord: Equatable, Sendable {
    var membership: Membership
    /// Of the newest membership event, a mere change of the display name too.
    var position: Int64
    var invitedAt: Int64 = 0
    /// When the present or latest stay in the room began.
    var joinedAt: Int64 = 0
    /// When the latest stay in the room ended.
    var leftAt: Int64 = 0
    var isForgotten = false

    /// Whether the newest membership event ended a stay in the room, rather than an invitation.
    var hasJustLeft: Bool { membership != .join && leftAt == position && joinedAt > 0 }
    /// By this people are ordered: since when they have been there, or have had another standing.
    var seniority: Int64 { joinedAt > 0 ? joinedAt : position }

    /// This standing after a membership event at `position`.
    static func after(_ old: MembershipRecord?, _ membership: Membership, at position: Int64) -> MembershipRecord {
        var record = old ?? MembershipRecord(membership: membership, position: position)
        let previous = old?.membership
        record.membership = membership
        record.position = position
        record.isForgotten = false
        if membership == .invite { record.invitedAt = position }
        if membership == .join, previous != .join { record.joinedAt = position }
        if membership != .join, previous == .join { record.leftAt = position }
        return record
    }
}

/// Whether somebody's standing in a room may change, and to what. Client-server API, "Room membership".
enum MembershipRules {
    /// What the room and both people bring to the decision.
    struct Facts: Sendable {
        var sender: UserID
        var senderMembership: Membership?
        var target: UserID
        var targetMembership: Membership?
        var isPublic: Bool
        var power: PowerLevels
    }

    enum Verdict: Equatable, Sendable {
        case allowed
        /// It is so already: nothing to do, and no failure.
        case unchanged
        case refused(MatrixError)
    }

    static func verdict(_ wanted: Membership, _ facts: Facts) -> Verdict {
        switch wanted {
        case .join: join(facts)
        case .invite: invite(facts)
        case .leave: facts.sender == facts.target ? leave(facts) : remove(facts)
        case .ban: ban(facts)
        case .knock: .refused(.forbidden("This room cannot be knocked on."))
        }
    }

    private static func join(_ facts: Facts) -> Verdict {
        guard facts.sender == facts.target else { return .refused(.forbidden("You cannot join for somebody else.")) }
        switch facts.targetMembership {
        case .join: return .unchanged
        case .ban: return .refused(.forbidden("You are banned from this room."))
        case .invite: return .allowed
        case .leave, .knock, nil:
            return facts.isPublic ? .allowed : .refused(.forbidden("You are not invited to this room."))
        }
    }

    private static func invite(_ facts: Facts) -> Verdict {
        guard facts.senderMembership == .join else { return .refused(.notInRoom) }
        switch facts.targetMembership {
        case .join: return .refused(.forbidden("\(facts.target) is already in the room."))
        case .ban: return .refused(.forbidden("\(facts.target) is banned from the room."))
        case .invite: return .unchanged
        case .leave, .knock, nil:
            guard facts.power.level(of: facts.sender) >= facts.power.invite else {
                return .refused(.forbidden("You do not have the power to invite people to this room."))
            }
            return .allowed
        }
    }

    private static func leave(_ facts: Facts) -> Verdict {
        switch facts.targetMembership {
        case .join, .invite, .knock: .allowed
        case .leave: .unchanged
        case .ban: .refused(.forbidden("You are banned from this room."))
        case nil: .refused(.notFound("There is no such room."))
        }
    }

    /// A kick, the withdrawal of an invitation, or an unban.
    private static func remove(_ facts: Facts) -> Verdict {
        guard facts.senderMembership == .join else { return .refused(.notInRoom) }
        switch facts.targetMembership {
        case .ban:
            guard hasPower(facts, facts.power.ban) else {
                return .refused(.forbidden("You do not have the power to lift this ban."))
            }
            return .allowed
        case .join, .invite, .knock:
            guard hasPower(facts, facts.power.kick) else {
                return .refused(.forbidden("You do not have the power to remove \(facts.target)."))
            }
            return .allowed
        case .leave, nil:
            return .refused(.forbidden("\(facts.target) is not in the room."))
        }
    }

    private static func ban(_ facts: Facts) -> Verdict {
        guard facts.senderMembership == .join else { return .refused(.notInRoom) }
        guard hasPower(facts, facts.power.ban) else {
            return .refused(.forbidden("You do not have the power to ban \(facts.target)."))
        }
        return facts.targetMembership == .ban ? .unchanged : .allowed
    }

    /// Whether the sender reaches `level` and stands above the target.
    private static func hasPower(_ facts: Facts, _ level: Int64) -> Bool {
        let own = facts.power.level(of: facts.sender)
        return own >= level && own > facts.power.level(of: facts.target)
    }
}

extension MatrixError {
    /// The same whether the room exists or not, so that nobody outside learns of it.
    static let notInRoom = MatrixError.forbidden("You are not in this room.")
}
