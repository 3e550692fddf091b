import Models
import Testing
import TextUI
import Workers

@testable import SceneScript

@Suite("ScriptRunner")
@MainActor
struct ScriptRunnerTests {
    private let stage = FakeStage()
    private let observer = ObserverSpy()

    private func play(_ text: String, realTime: any WallClock = VirtualClock(now: Timestamp(milliseconds: 0)))
        async throws
        -> SceneResult
    {
        await ScriptRunner(try Scripts.parse(text), on: stage, observer: observer, realTime: realTime).play()
    }

    @Test("each step ends settled and is compared with what its actor's view has printed")
    func steps() async throws {
        let result = try await play(
            "# One\na> echo \"x\"\n  x\nb> echo \"y\" \n# Two\nclock> advance 6s\na? scene Welcome")

        #expect(result.status == .success)
        #expect(result.steps.map(\.output) == [["x"], ["y"], [], []])
        #expect(
            observer.calls == [
                .file("a.scene"), .phase("One"), .trace("a Fake.echo"), .step("a> echo \"x\""), .trace("b Fake.echo"),
                .step("b> echo \"y\" "), .phase("Two"), .step("clock> advance 6s"), .step("a? scene Welcome"),
                .end(.success),
            ])
        #expect(
            stage.applications["a"]?.calls
                == [.launch, .perform(Command(name: "echo", positional: ["x"])), .shutDown])
        #expect(stage.calls.contains(.advance(.seconds(6))))
    }

    @Test("a phase that needs a Words server is skipped whole on another, and reported")
    func needsWords() async throws {
        let script = "# One\na> echo \"x\"\n  x\n# Two\nserver> words\na> echo \"y\"\n  y"
        let played = try await play(script)
        stage.isWords = false

        let result = try await play(script)

        #expect(played.phases.map(\.skipped) == [nil, nil])
        #expect(result.status == .success)
        #expect(result.phases.map(\.skipped) == [nil, "line 5 needs a Words server"])
        #expect(!stage.calls.contains(.server(.words)))
    }

    @Test("a marked line of a golden is for that kind of server alone, in updates too")
    func marks() async throws {
        let script = "a> echo \"x\"\n  [words]x\n  [matrix]y"
        let onWords = try await play(script)
        stage.isWords = false

        let elsewhere = try await play(script)

        #expect(onWords.failures == [] && onWords.goldens.map(\.matches) == [true])
        #expect(elsewhere.failures.map(\.kind) == [.golden] && elsewhere.goldens.map(\.matches) == [false])
    }

    @Test("times of another server match any other, with seconds and without")
    func times() async throws {
        stage.hasClock = false

        let result = try await play("a> echo \"at 17:41:03, 08:15\"\n  at 09:00:00, 09:00")

        #expect(result.failures == [])
    }

    @Test("predicates look at what is shown, without what the stage has put in")
    func shownFacts() async throws {
        stage.onPerform = { application, _ in
            application.facts.errors = ["Tea suffix is gone"]
            return .done()
        }
        stage.onShown = { facts in
            var facts = facts
            facts.errors = facts.errors.map { $0.replacing(" suffix", with: "") }
            return facts
        }

        let result = try await play("a> help\na? error \"Tea is gone\"\na! error \"suffix\"")

        #expect(result.failures == [])
    }

    @Test("a golden that differs fails the step with a difference, and the script goes on")
    func goldenDiffers() async throws {
        let result = try await play("a> echo \"x\"\n  y\na> echo \"z\"\n  z")

        #expect(result.status == .differs)
        #expect(result.steps.count == 2)
        let failure = try #require(result.steps[0].failure)
        #expect(failure.kind == .golden)
        #expect(
            failure.description.hasPrefix("a.scene:2:1: a: What was printed differs.\n--- a.scene:2 a\n+++ printed\n"))
        #expect(failure.description.hasSuffix("-y\n+x"))
        #expect(result.goldens.map(\.matches) == [false, true])
    }

    @Test("what a bystander prints belongs to that bystander's next step")
    func bystander() async throws {
        stage.onPerform = { [stage] application, command in
            stage.applications["b"]?.lines.append("heard \(command.positional)")
            return await FakeStage.echo(application, command)
        }

        let result = try await play("b> help\na> echo \"x\"\n  x\nb> help\n  heard [..]x[..]\n  heard []")

        #expect(result.failures == [])
    }

    @Test("a predicate that comes true with a later view model is met by it, with no polling")
    func awaited() async throws {
        stage.onPerform = { application, command in
            Task { @MainActor in
                for count in 1...3 {
                    await Task.yield()
                    application.show { $0.typing = (1...count).map { "T\($0)" } }
                }
            }
            return .done()
        }
        stage.onSettle = { for _ in 0..<1 { await Task.yield() } }

        let result = try await play("a> help\na? typing T3")

        #expect(result.failures == [])
        #expect(stage.applications["a"]?.onDisplay == nil)
    }

    @Test(
        "a predicate that does not come true fails past the deadline, with the screen, the last events and what goes on"
    )
    func late() async throws {
        stage.outstanding = ["poll", "timer (2)"]

        let result = try await play("a> echo \"x\"\na? typing Bob within=2s\na> help", realTime: ImpatientClock())

        #expect(result.status == .deadline)
        #expect(result.steps.count == 2)
        #expect(
            result.steps[1].failure?.description == """
                a.scene:2:1: a: This has not come true within 2s.
                screen of a:
                  the screen
                last events of a:
                  Fake.echo
                still going on: poll, timer (2)
                """)
    }

    @Test("a command that is not done in time fails past the deadline")
    func hangs() async throws {
        let result = try await play("set deadline=3s\na> hang", realTime: ImpatientClock())

        #expect(result.status == .deadline)
        #expect(result.steps[0].failure?.message == "The command was not done within 3s.")
    }

    @Test("what never settles fails past the deadline")
    func neverSettles() async throws {
        let result = try await play("a> help\nclock> advance 1s", realTime: ImpatientClock())
        stage.onSettle = { await FakeStage.hang() }
        let stuck = try await play("a> help", realTime: ImpatientClock())

        #expect(result.status == .success)
        #expect(stuck.status == .deadline)
        #expect(stuck.steps[0].failure?.message == "Not everything has settled within 5s.")
    }

    @Test("a command that waits for time ends its step once everything has settled, and goes on later")
    func waits() async throws {
        stage.onPerform = { application, command in
            guard command.name == "wait" else { return await FakeStage.echo(application, command) }
            await withCheckedContinuation { continuation in
                let wait = PausedContinuation(continuation)
                application.later = { wait.resume() }
                wait.pause()
            }
            application.lines.append("done")
            return .done()
        }
        stage.onAdvance = { [stage] in stage.applications["a"]?.later() }

        let result = try await play("a> wait\n  (nothing)\na> echo \"x\"\n  x\nclock> advance 2s\na> help\n  done")
        let kept = try await play("b> wait as=$x")

        #expect(result.failures == [])
        #expect(kept.failures.map(\.message) == ["`wait` waits and has nothing for $x yet."])
    }

    @Test("faults are the stage's to make; one that it cannot make fails the step")
    func faults() async throws {
        let result = try await play("network> fail a send 2\nserver> restart\n# B\na> help")
        stage.error = StageError(.fault, "The server does not come back.")
        let failed = try await play("server> restart")

        #expect(result.status == .success)
        #expect(stage.calls.contains(.network(.fail(actor: "a", operation: .send, count: 2))))
        #expect(stage.calls.contains(.server(.restart)))
        #expect(failed.failures.map(\.message) == ["The server does not come back."])
    }

    @Test(
        "a request of another client is made with what was kept, and its answer is to have the status that is demanded")
    func requests() async throws {
        let text =
            "a> id as=$room\n"
            + "request> a PUT rooms $room state \"$room\" body=\"{}\" dir=b to=$room at=\"$room\" status=403"
            + "\nrequest> a PUT x body=$room status=403"
        stage.answer = MatrixAnswer(status: 403, code: "M_FORBIDDEN", words: "No.")
        let result = try await play(text)
        stage.answer.status = 404
        let other = try await play(text)
        stage.error = StageError(.usage, "Nobody is signed in.")
        let failed = try await play("request> b GET x")

        #expect(result.status == .success)
        let request = MatrixRequest(
            method: "PUT", segments: ["rooms", "id-1", "state", "$room"],
            query: ["dir": "b", "to": "id-1", "at": "$room"], body: "{}")
        let whole = MatrixRequest(method: "PUT", segments: ["x"], query: [:], body: "id-1")
        #expect(stage.calls.contains(.request(request, "a")))
        #expect(stage.calls.contains(.request(whole, "a")))
        #expect(
            other.failures.map(\.message) == [
                "The answer has the status 404: M_FORBIDDEN No., and is to have 403."
            ])
        #expect(other.failures.map(\.kind) == [.expectation])
        #expect(failed.failures.map(\.message) == ["Nobody is signed in."])
    }

    @Test("what is not to be true fails where it is, at once or once everything has settled")
    func refuted() async throws {
        let isNow = try await play("a! scene Welcome")
        var settled = 0
        stage.onSettle = { [stage] in
            settled += 1
            if settled == 3 { stage.applications["a"]?.show { $0.typing = ["Bob"] } }
        }
        let isLater = try await play("a> help\na! typing Bob")
        let isNever = try await play("a! typing Carol")

        #expect(isNow.status == .differs)
        #expect(isNow.failures.map(\.message) == ["This is true now, and is not to be."])
        #expect(isLater.failures.map(\.message) == ["This is true once everything has settled, and is not to be."])
        #expect(isNever.status == .success)
    }

    @Test("what a command returns goes into later commands")
    func captured() async throws {
        let result = try await play("a> id as=$x\nb> echo $x\n  id-1\nb> echo \"$x\"\n  $x")

        #expect(result.failures == [])
    }

    @Test("to keep what a command does not return is a fault of the script")
    func nothingToKeep() async throws {
        let result = try await play("a> help as=$x")

        #expect(result.status == .usage)
        #expect(result.failures.map(\.message) == ["`help` returns nothing to keep as $x."])
    }

    @Test("a refusal is the scene's to show; a command that the scene or the app lacks fails, unless a block shows it")
    func outcomes() async throws {
        #expect(try await play("a> fail").status == .success)
        #expect(try await play("a> elsewhere").status == .differs)
        #expect(try await play("a> nonsense").status == .usage)
        #expect(try await play("a> elsewhere\n  (nothing)\na> nonsense\n  (nothing)").status == .success)
    }

    @Test("who has quit comes back with a new app")
    func comesBack() async throws {
        let result = try await play("a> quit\na> echo \"x\"\n  x")

        #expect(result.status == .success)
        #expect(
            stage.applications["a"]?.calls
                == [.launch, .perform(Command(name: "echo", positional: ["x"])), .shutDown])
    }

    @Test("where there is no server the script ends at the first step that needs one")
    func noServer() async throws {
        stage.error = StageError(.unreachable, "Nobody answers at http://x.")

        let result = try await play("a> help\na> help")

        #expect(result.status == .unreachable)
        #expect(result.steps.count == 1)
        #expect(result.failures.map(\.description) == ["a.scene:1:1: a: Nobody answers at http://x."])
    }

    @Test("where time is real, a phase that needs the clock is skipped whole, and times match anything")
    func realTime() async throws {
        stage.hasClock = false

        let result = try await play(
            "# A\na> echo \"17:42  Al\"\n  09:00  Al\n# B\na> echo \"x\"\nclock> advance 6s\n# C\na> help")
        let skipped = try await play("clock> advance 6s")
        let faults = try await play("# A\nnetwork> offline a\n# B\nserver> restart")

        #expect(result.status == .success)
        #expect(result.phases.map(\.skipped) == [nil, "line 6 needs the in-process server", nil])
        #expect(result.steps.count == 2)
        #expect(skipped.status == .skipped)
        #expect(faults.phases.map(\.skipped) == [nil, "line 4 needs the in-process server"])
    }
}
