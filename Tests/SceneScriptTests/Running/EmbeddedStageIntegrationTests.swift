import Models
import Testing
import TextUI
import Workers

@testable import SceneScript

@Suite("EmbeddedStage")
@MainActor
struct EmbeddedStageIntegrationTests {
    @Test("what only somebody who is signed in can do or have done to them is a fault of the script for all others")
    func nobody() async throws {
        let stage = try await EmbeddedStage(SceneSettings())
        let nobody = StageError(.usage, "Nobody is signed in in the app of bob.")
        let request = MatrixRequest(method: "GET", segments: ["joined_rooms"])

        let absent = await stage.answer(to: request, of: "bob")
        let application = try await stage.application(for: "bob") { _ in }
        await application.launch()
        let signedOut = await stage.answer(to: request, of: "bob")
        await #expect(throws: nobody) { try await stage.apply(.expireToken(actor: "bob", .user)) }
        _ = await application.perform(
            Command(
                name: "signup", named: ["name": "Bob", "email": "bob@words.test", "password": "secret-two"]))
        await stage.settle()
        let signedIn = await stage.answer(to: request, of: "bob")
        await application.shutDown()
        _ = await stage.close()

        #expect(absent == .failure(nobody))
        #expect(signedOut == .failure(nobody))
        #expect(signedIn == .success(MatrixAnswer(status: 200)))
    }
}
