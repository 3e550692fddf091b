// swift-tools-version: 6.2
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A target whose warnings are errors; its tests stand in `Tests/<name>Tests`.
func room(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path ?? "Sources/\(name)", swiftSettings: strict)
}

func tests(of name: String, _ more: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + more, path: "Tests/\(name)Tests",
        exclude: exclude, swiftSettings: strict)
}

func cLibrary(_ name: String, pkgConfig: String? = nil, debian: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: debian.map { [.apt([$0])] })
}

/// What stands beside the Swift files of a folder: read by its tests, no part of a target.
func data(in folder: String) -> [String] {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let names = try? FileManager.default.contentsOfDirectory(atPath: package.appendingPathComponent(folder).path)
    return (names ?? []).filter { !$0.hasSuffix(".swift") }.sorted()
}

/// `make fuzz` builds the targets of Tests/Fuzzing into a program for libFuzzer, which brings its own `main`; ordinary
/// builds test the corpus with them instead.
let fuzzing: Target =
    if ProcessInfo.processInfo.environment["WORDS_FUZZ"] != nil {
        .executableTarget(
            name: "words-fuzz", dependencies: ["Models", "Workers", "TextUI", "SceneScript", "Server"],
            path: "Tests/Fuzzing", exclude: ["Corpus", "Replay"], swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    } else {
        .testTarget(
            name: "FuzzingTests", dependencies: ["Models", "Workers", "TextUI", "SceneScript", "Server"],
            path: "Tests/Fuzzing", exclude: ["Corpus", "Entry"], swiftSettings: strict)
    }

let package = Package(
    name: "Words",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "words", targets: ["words"]),
        .library(name: "Models", targets: ["Models"]),
        .library(name: "Workers", targets: ["Workers"]),
        .library(name: "Scenes", targets: ["Scenes"]),
        .library(name: "TextUI", targets: ["TextUI"]),
        .library(name: "TextSnapshots", targets: ["TextSnapshots"]),
    ],
    targets: [
        // Knowledge points one way: Models <- Workers <- Scenes <- TextUI <- SceneScript <- words.
        room("Models", [], path: "Models"),
        room("Workers", ["Models", "SQLite"], path: "Workers"),
        room("Scenes", ["Models", "Workers"], path: "Scenes"),
        room("TextUI", ["Models", "Workers", "Scenes", "CTerminal"]),
        room("SceneScript", ["Models", "Workers", "Scenes", "TextUI", "Server", "TextSnapshots"]),
        .executableTarget(
            name: "words",
            dependencies: ["Models", "Workers", "Scenes", "TextUI", "SceneScript", "Server", "CTerminal"],
            path: "Sources/words", resources: [.embedInCode("Demo/demo.scene")], swiftSettings: strict),

        .executableTarget(
            name: "words-bench",
            dependencies: ["Models", "Workers", "Scenes", "TextUI", "Server", "SQLite"], path: "Sources/bench",
            exclude: ["Peers"], swiftSettings: strict),
        .executableTarget(
            name: "words-bench-empty",
            dependencies: ["Models", "Workers", "Scenes", "TextUI", "SceneScript", "Server", "CTerminal"],
            path: "Sources/bench-empty", swiftSettings: strict),

        // The embedded server knows Models and SQLite, never Workers or Scenes.
        room("Server", ["Models", "SQLite", "CMicrohttpd", "CSodium"]),
        room("SQLite", ["CSQLite"]),
        room("TextSnapshots", []),

        cLibrary("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
        cLibrary("CMicrohttpd", pkgConfig: "libmicrohttpd", debian: "libmicrohttpd-dev"),
        cLibrary("CSodium", pkgConfig: "libsodium", debian: "libsodium-dev"),
        cLibrary("CTerminal"),

        // Documents with one fault each, for the tests of whatever reads JSON.
        room("JSONMutations", ["Models"], path: "Tests/JSONMutations"),
        tests(of: "Models", ["JSONMutations"]),
        tests(of: "Workers", ["Server", "SQLite", "JSONMutations"]),
        tests(of: "Scenes", ["TextSnapshots"]),
        tests(of: "TextUI", ["TextSnapshots"], exclude: ["Renderers/Goldens"]),
        tests(of: "SceneScript", ["TextSnapshots"]),
        tests(of: "Server", ["SQLite"]),
        tests(of: "SQLite"),
        tests(of: "TextSnapshots"),
        // The executable as a process of its own, for the tests of it.
        room("ChildProcesses", ["Models"], path: "Tests/ChildProcesses"),
        tests(of: "words", ["SceneScript", "ChildProcesses"]),
        .testTarget(
            name: "PromisesTests",
            dependencies: ["words", "ChildProcesses", "JSONMutations", "Models", "Workers", "Server", "SQLite"],
            path: "Tests/PromisesTests", swiftSettings: strict),
        .testTarget(
            name: "SoakTests", dependencies: ["Models", "Workers", "Scenes", "Server"], path: "Tests/SoakTests",
            swiftSettings: strict),
        // Against a Synapse of its own: `make test-synapse`.
        .testTarget(
            name: "SynapseTests", dependencies: ["SceneScript", "ChildProcesses", "Models", "Workers", "SQLite"],
            path: "Tests/SynapseTests", exclude: data(in: "Tests/SynapseTests"), swiftSettings: strict),
        .testTarget(
            name: "SceneFilesTests", dependencies: ["SceneScript"], path: "Tests/SceneFiles",
            exclude: data(in: "Tests/SceneFiles"), swiftSettings: strict),
        fuzzing,
    ],
    swiftLanguageModes: [.v6]
)
