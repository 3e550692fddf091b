import Models
import Testing

@testable import Workers

@Suite("RenewalMachine")
struct RenewalMachineTests {
    private func token(_ name: String, _ life: Duration, refresh: Bool = true) -> UserToken {
        UserToken(
            accessToken: Secret(name), refreshToken: refresh ? Secret("r-\(name)") : nil, expiresAt: start + life)
    }

    private func holding(_ token: UserToken) -> RenewalMachine {
        var machine = RenewalMachine()
        _ = machine.handle(.signedIn(token, at: start))
        return machine
    }

    @Test("nobody signed in is no session")
    func signedOut() {
        var machine = RenewalMachine()

        #expect(machine.handle(.needed(at: start)) == [.fail(.noSession)])
    }

    @Test("a token is used until a minute before its end, then renewed")
    func margin() {
        let hour = token("a", .seconds(3_600))
        var machine = holding(hour)

        let early = machine.handle(.needed(at: start + .seconds(3_539)))
        let late = machine.handle(.needed(at: start + .seconds(3_540)))
        let meanwhile = machine.handle(.needed(at: start + .seconds(3_541)))

        #expect(early == [.use(hour)])
        #expect(late == [.renew(hour)])
        #expect(meanwhile == [.joinRenewal])
    }

    @Test("a token of short life is renewed in its last tenth only")
    func shortLife() {
        let short = token("a", .seconds(20))
        var machine = holding(short)

        #expect(machine.handle(.needed(at: start + .seconds(17))) == [.use(short)])
        #expect(machine.handle(.needed(at: start + .seconds(18))) == [.renew(short)])
    }

    @Test("a token of no life is used once it is there: renewals do not go round in circles")
    func noLife() {
        var machine = holding(token("a", .seconds(3_600)))
        _ = machine.handle(.refused(Secret("a")))
        let dead = token("b", .zero)

        #expect(machine.handle(.renewed(dead, at: start)) == [.use(dead)])
    }

    @Test("a refused token is renewed, unless it has been already")
    func refused() {
        let old = token("a", .seconds(3_600))
        let new = token("b", .seconds(3_600))
        var machine = holding(old)

        let first = machine.handle(.refused(Secret("a")))
        let renewed = machine.handle(.renewed(new, at: start))
        let stale = machine.handle(.refused(Secret("a")))

        #expect(first == [.renew(old)])
        #expect(renewed == [.use(new)])
        #expect(stale == [.use(new)])
    }

    @Test("a renewal that fails for now leaves the token in use while it lasts")
    func failure() {
        let hour = token("a", .seconds(3_600))
        var machine = holding(hour)
        _ = machine.handle(.needed(at: start + .seconds(3_590)))

        let alive = machine.handle(.renewalFailed(.network(.timedOut), at: start + .seconds(3_595)))
        _ = machine.handle(.needed(at: start + .seconds(3_600)))
        let dead = machine.handle(.renewalFailed(.network(.timedOut), at: start + .seconds(3_600)))

        #expect(alive == [.use(hour)])
        #expect(dead == [.fail(.network(.timedOut))])
        #expect(machine.state == .holding(hour))
    }

    @Test(
        "a refused renewal ends the session for good, and all that follows is told how",
        arguments: [UsersError.unauthenticated, .expired])
    func refusedRenewal(_ error: UsersError) {
        var machine = holding(token("a", .seconds(3_600)))
        _ = machine.handle(.refused(Secret("a")))

        let refused = machine.handle(.renewalRefused(error))

        #expect(refused == [.fail(error)])
        #expect(machine.handle(.needed(at: start)) == [.fail(error)])
        #expect(machine.handle(.refused(Secret("a"))) == [.fail(error)])
    }

    @Test("so does the server's word without a renewal", arguments: [UsersError.unauthenticated, .expired])
    func ended(_ error: UsersError) {
        var machine = holding(token("a", .seconds(3_600)))

        let ended = machine.handle(.sessionEnded(error))

        #expect(ended.isEmpty)
        #expect(machine.handle(.needed(at: start)) == [.fail(error)])
    }

    @Test("an answer that comes after signing out changes nothing")
    func late() {
        var machine = holding(token("a", .seconds(3_600)))
        _ = machine.handle(.refused(Secret("a")))
        _ = machine.handle(.signedOut)

        #expect(machine.handle(.renewed(token("b", .seconds(1)), at: start)).isEmpty)
        #expect(machine.state == .signedOut)
    }

    @Test("a token that cannot be renewed is used to its end; the server decides")
    func unrenewable() {
        let lone = token("a", .seconds(10), refresh: false)
        var machine = holding(lone)

        #expect(machine.handle(.needed(at: start + .seconds(11))) == [.use(lone)])
    }
}
