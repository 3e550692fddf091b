import Models
import TextUI

/// Whose apps run.
extension ScriptRunner {
    @MainActor
    final class Actor {
        static let eventsKept = 12
        let name: String
        let application: any ScriptApplication
        var events: [String] { log.lines }
        private let log: EventLog

        init(name: String, application: any ScriptApplication, log: EventLog) {
            self.name = name
            self.application = application
            self.log = log
        }
    }

    /// The last hops of an actor's app.
    @MainActor
    final class EventLog {
        private var events: [() -> String] = []
        var lines: [String] { events.map { $0() } }

        func add(_ line: @escaping () -> String) {
            events.append(line)
            if events.count > Actor.eventsKept { events.removeFirst() }
        }
    }

    /// The actor, whose app is launched where it does not run.
    func actor(_ name: String, at step: SceneStep) async throws(StepFailure) -> Actor {
        if let actor = actors[name] { return actor }
        let log = EventLog()
        let application: any ScriptApplication
        do throws(StageError) {
            application = try await stage.application(for: name) { [weak observer] line in
                log.add(line)
                observer?.traced(line, by: name)
            }
        } catch {
            throw StepFailure(StepFailure.Kind(error.status), at: step.location, actor: name, error.description)
        }
        let actor = Actor(name: name, application: application, log: log)
        actors[name] = actor
        _ = try await counted("The app did not start", step, actor) { await application.launch() }
        _ = application.takeLines()
        return actor
    }

    func leave(_ name: String) async {
        guard let actor = actors.removeValue(forKey: name) else { return }
        let application = actor.application
        let stage = stage
        stage.begin { await application.shutDown() }
        _ = await deadline.run { await stage.settle() }
    }

    func late(_ step: SceneStep, _ actor: Actor?, _ message: String) -> StepFailure {
        var details = actor.map(look) ?? []
        let outstanding = stage.outstanding
        details += outstanding.isEmpty ? [] : ["still going on: " + outstanding.joined(separator: ", ")]
        return StepFailure(.deadline, at: step.location, actor: step.action.actor, message, details: details)
    }

    /// The screen and the last events of an actor, for whoever has to find out why a step failed.
    func look(at actor: Actor) -> [String] {
        let screen = ["screen of \(actor.name):"] + actor.application.screen.map { "  " + $0 }
        let events =
            actor.events.isEmpty
            ? [] : ["last events of \(actor.name):"] + actor.events.map { "  " + Self.shortened($0) }
        return screen + events
    }

    private static func shortened(_ event: String) -> String { event.count > 200 ? event.prefix(199) + "…" : event }
}
