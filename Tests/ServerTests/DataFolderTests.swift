import Foundation
import Models
import Testing

@testable import Server

@Suite struct DataFolderTests {
    private let folder = TemporaryFolder()

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private func endpoint(process: Int32 = getpid()) throws -> DataFolder.Endpoint {
        DataFolder.Endpoint(
            url: try #require(URL(string: "http://127.0.0.1:8000")), process: process, ownerKey: Secret("key"))
    }

    @Test("the folder is made for its owner alone, also where it was open before")
    func modes() throws {
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])

        let locked = try DataFolder.lock(folder.url)
        try locked.publish(try endpoint())

        #expect(try mode(folder.url) == 0o700)
        #expect(try mode(folder.url.appendingPathComponent("lock")) == 0o600)
        #expect(try mode(folder.url.appendingPathComponent("endpoint")) == 0o600)
    }

    @Test("a folder that others use is refused and left as it is")
    func somebodyElses() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        try Data("theirs".utf8).write(to: folder.url.appendingPathComponent("notes.txt"))

        #expect(throws: ServerError.self) { try DataFolder.lock(folder.url) }

        #expect(try mode(folder.url) == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["notes.txt"])
    }

    @Test("files of the database that others could read are closed to them")
    func openFiles() throws {
        let locked = try DataFolder.lock(folder.url)
        let names = ["words.sqlite", "words.sqlite-wal", "words.sqlite-shm"]
        for name in names {
            let path = folder.url.appendingPathComponent(name).path
            #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o666]))
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        }

        try locked.makeDatabaseFile()

        for name in names { #expect(try mode(folder.url.appendingPathComponent(name)) == 0o600) }
    }

    @Test("one at a time holds the lock")
    func exclusive() throws {
        let first = try DataFolder.lock(folder.url)

        #expect(try DataFolder.tryLock(folder.url) == nil)
        #expect(throws: ServerError.alreadyServed(folder: folder.url.path)) { try DataFolder.lock(folder.url) }
        first.unlock()
        #expect(try DataFolder.tryLock(folder.url) != nil)
    }

    @Test("the lock ends with the one who holds it")
    func released() throws {
        do { _ = try DataFolder.lock(folder.url) }

        #expect(try DataFolder.tryLock(folder.url) != nil)
    }

    @Test("an address is live from its publication to the end of the lock")
    func liveEndpoint() throws {
        #expect(DataFolder.liveEndpoint(in: folder.url) == nil)
        let locked = try DataFolder.lock(folder.url)
        #expect(DataFolder.liveEndpoint(in: folder.url) == nil)

        try locked.publish(try endpoint())

        #expect(DataFolder.liveEndpoint(in: folder.url)?.absoluteString == "http://127.0.0.1:8000")
        locked.unlock()
        #expect(DataFolder.liveEndpoint(in: folder.url) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("endpoint").path))
    }

    @Test("a withdrawn address is nobody's, though the lock is held")
    func withdrawn() throws {
        let locked = try DataFolder.lock(folder.url)
        try locked.publish(try endpoint())

        locked.withdraw()

        #expect(DataFolder.liveEndpoint(in: folder.url) == nil)
        #expect(DataFolder.isLocked(folder.url))
        locked.unlock()
    }

    @Test("an address that a dead server has left behind is nobody's")
    func staleEndpoint() throws {
        let first = try DataFolder.lock(folder.url)
        try first.publish(try endpoint())
        let file = folder.url.appendingPathComponent("endpoint")
        let left = try Data(contentsOf: file)
        first.unlock()
        try left.write(to: file)

        #expect(DataFolder.liveEndpoint(in: folder.url) == nil, "nobody holds the lock")
        let second = try DataFolder.lock(folder.url)
        #expect(DataFolder.liveEndpoint(in: folder.url) == nil, "the new holder has removed it")
        try second.publish(try endpoint(process: .max))
        #expect(DataFolder.liveEndpoint(in: folder.url) == nil, "its process is gone")
    }

    @Test("a folder that cannot be made is refused with its path")
    func impossible() {
        #expect {
            try DataFolder.lock(URL(fileURLWithPath: "/proc/words"))
        } throws: { error in
            guard case ServerError.folder(let path, _) = error else { return false }
            return path == "/proc/words"
        }
    }
}
