import Models
import Scenes

/// Makes scenes, each a view with its interactor, presenter and router behind it, and the data store to be filled.
@MainActor
protocol SceneFactory {
    func makeLaunch(navigator: any Navigator) -> any SceneView
    func makeWelcome(navigator: any Navigator, notice: RemoteText?) -> any SceneView
    func makeLogin(navigator: any Navigator) -> (view: any SceneView, dataStore: any LoginDataStore)
    func makeSignup(navigator: any Navigator) -> (view: any SceneView, dataStore: any SignupDataStore)
    func makeListContacts(navigator: any Navigator) -> (view: any SceneView, dataStore: any ListContactsDataStore)
    func makeListChannels(navigator: any Navigator) -> (view: any SceneView, dataStore: any ListChannelsDataStore)
    func makeChatroom(navigator: any Navigator) -> (view: any SceneView, dataStore: any ChatroomDataStore)
}
