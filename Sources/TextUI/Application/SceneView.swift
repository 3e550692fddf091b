import Models
import Scenes

/// What every text view is to the application: it takes commands, and tells what to print, to show and to ask.
@MainActor
protocol SceneView: AnyObject {
    var scene: SceneName { get }
    /// What stands in the prompt for the scene.
    var promptTitle: SafeLine { get }
    /// The whole screen, no line wider than the width.
    var screen: [SafeLine] { get }
    /// Adds what a script may look at.
    func describe(in facts: inout ScreenFacts)
    /// The scene appears. Returns once its first view model has been presented.
    func start() async
    /// Carries out a command that the catalogue has found fit for the scene.
    func perform(_ command: Command) async -> CommandOutcome
    /// What is to be printed since the last call: the scene itself after it came on top, then one line per event.
    func takeLines() -> [SafeLine]
    /// The scene has come back on top: it prints anew.
    func comeBack()
    /// The scene goes, or is covered: what it has not printed it will not print.
    func dropLines()
    /// The scene goes for good.
    func leave()
}

/// How wide the screen is now; all views share it.
@MainActor
final class ScreenColumns {
    /// At least 1.
    var count: Int { didSet { count = max(1, count) } }

    init(_ count: Int) { self.count = max(1, count) }
}

/// What a view needs beside its interactor and its router.
@MainActor
struct ViewContext {
    let columns: ScreenColumns
    var trace: Trace
    var activity: Activity
    /// Called after every view model that has been presented.
    var onDisplay: @MainActor () -> Void
    /// Called when a message of somebody else's has come.
    var onNews: @MainActor () -> Void = {}

    /// In columns.
    var width: Int { columns.count }

    /// To be called by every display method, once the view has taken in the view model.
    func displayed<ViewModel>(_ viewModel: ViewModel) {
        trace(viewModel)
        onDisplay()
    }
}

/// Follows the route that a view model asks for: after the request that led to it, or at once where nobody has asked.
@MainActor
final class RouteFollower {
    private var route: (@MainActor () async -> Void)?
    private var requests = 0
    private let activity: Activity

    init(activity: Activity) { self.activity = activity }

    /// Makes a request, then goes where its view models lead.
    func request(_ body: @MainActor () async -> Void) async {
        requests += 1
        await body()
        requests -= 1
        await follow()
    }

    /// Called by a display method, which cannot wait.
    func go(_ route: @escaping @MainActor () async -> Void) {
        self.route = route
        guard requests == 0 else { return }
        activity.run("route") { await self.follow() }
    }

    private func follow() async {
        guard requests == 0, let route else { return }
        self.route = nil
        await route()
    }
}
