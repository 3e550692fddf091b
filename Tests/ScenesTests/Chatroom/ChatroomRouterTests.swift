import Testing

@testable import Scenes

@MainActor
@Suite("ChatroomRouter")
struct ChatroomRouterTests {
    @Test("back leads to the scene below")
    func back() async {
        let navigator = NavigatorSpy()

        await ChatroomRouter(navigator: navigator, dataStore: ChatroomStore()).routeBack()

        #expect(navigator.calls == [.dismiss])
    }
}
