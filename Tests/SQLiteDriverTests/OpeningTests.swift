import Foundation
import Relational
import Testing

@testable import SQLiteDriver

@Suite("Opening a database")
struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A missing or empty file becomes a database")
  func missingOrEmptyFile() throws {
    try Data().write(to: URL(fileURLWithPath: folder.file("empty.store")))
    for name in ["empty.store", "new.store"] {
      let database = try folder.database(name)
      try database.execute("CREATE TABLE t (a)")
      #expect(try database.read { try $0.tables() }.keys.sorted() == ["t"])
    }
  }

  @Test(
    "A file may have any name",
    arguments: ["plain.store", "with space?#%.store", "file:odd.store", ":memory:", "naïve ☃.store"])
  func fileNames(name: String) throws {
    let database = try folder.database(name)
    try database.execute("CREATE TABLE t (a)")
    try database.close()
    #expect(try folder.contents(name).starts(with: Data("SQLite format 3\0".utf8)))
    #expect(try folder.database(name, isReadOnly: true).integer("SELECT count(*) FROM t") == 0)
  }

  enum Damage: CaseIterable {
    case text, shortText, zeros, oneByte, halfHeader, truncated, truncatedToOnePage, badSchema
  }

  @Test("A file that is no valid database is refused and left unchanged", arguments: Damage.allCases, [false, true])
  func invalidFile(damage: Damage, isReadOnly: Bool) throws {
    let good = try goodFile()
    let bytes: Data =
      switch damage {
      case .text: Data(String(repeating: "This is no database.\n", count: 1000).utf8)
      case .shortText: Data("hello".utf8)
      case .zeros: Data(count: 8192)
      case .oneByte: Data([0x53])
      case .halfHeader: good.prefix(50)
      case .truncated: good.prefix(good.count - 4096)
      case .truncatedToOnePage: good.prefix(4096)
      case .badSchema: good.prefix(100) + Data(repeating: 0xA5, count: 3996) + good.dropFirst(4096)
      }
    try bytes.write(to: URL(fileURLWithPath: folder.file("bad.store")))
    let error = #expect(throws: DatabaseError.self) { try folder.database("bad.store", isReadOnly: isReadOnly) }
    #expect([.notADatabase, .corrupt].contains(error?.reason), "\(String(describing: error))")
    #expect(error?.message.contains(folder.file("bad.store")) == true)
    #expect(try folder.contents("bad.store") == bytes)
  }

  @Test("Damage inside the file is an error of the statement that reads it")
  func damageInside() throws {
    var bytes = try goodFile()
    bytes.replaceSubrange(8192..., with: Data(repeating: 0x5A, count: bytes.count - 8192))
    try bytes.write(to: URL(fileURLWithPath: folder.file("bad.store")))
    let database = try folder.database("bad.store")
    let error = #expect(throws: DatabaseError.self) { try database.integer("SELECT sum(length(a)) FROM t") }
    #expect(error?.reason == .corrupt)
  }

  @Test("A file is inspected in one snapshot, whatever others commit meanwhile")
  func inspection() throws {
    let writer = try folder.database()
    try writer.execute("CREATE TABLE a (x)")
    let inspection: @Sendable (any Connection) throws -> Void = { connection in
      #expect(try connection.tables().keys.sorted() == ["a"])
      try writer.execute("CREATE TABLE b (x)")
      #expect(try connection.tables().keys.sorted() == ["a"])
    }
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: .file(folder.file()), inspection: inspection))
    #expect(try database.read { try $0.tables() }.keys.sorted() == ["a", "b"])
  }

  @Test("A directory is not opened")
  func directory() throws {
    let database = Result { try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file(folder.path))) }
    let error = #expect(throws: DatabaseError.self) { try database.get() }
    #expect(error?.reason == .cannotOpen)
    #expect(error?.message == "\(folder.path) is a folder")
  }

  @Test("A missing directory is named in the error and not created")
  func missingDirectory() throws {
    let error = #expect(throws: DatabaseError.self) { try folder.database("missing/test.store") }
    #expect(error?.reason == .cannotOpen)
    #expect(error?.message.contains("the folder \(folder.path)/missing does not exist") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("missing")))
  }

  @Test("An empty path is refused")
  func emptyPath() {
    let error = #expect(throws: DatabaseError.self) {
      try SQLiteDatabase(configuration: SQLiteConfiguration(location: .file("")))
    }
    #expect(error?.reason == .cannotOpen)
  }

  @Test("Opening a missing file read-only does not create it")
  func missingReadOnly() throws {
    let error = #expect(throws: DatabaseError.self) { try folder.database(isReadOnly: true) }
    #expect(error?.reason == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: folder.file()))
  }

  @Test("A read-only database can be read beside a writer, and not written")
  func readOnly() throws {
    let writer = try folder.database()
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let reader = try folder.database(isReadOnly: true)
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    try writer.execute("INSERT INTO t VALUES (2)")
    #expect(try reader.integer("SELECT count(*) FROM t") == 2)
    let error = #expect(throws: DatabaseError.self) { try reader.execute("INSERT INTO t VALUES (3)") }
    #expect(error?.reason == .readOnly)
    let direct = #expect(throws: DatabaseError.self) { try reader.read { try $0.execute("DELETE FROM t") } }
    #expect(direct?.reason == .readOnly)
  }

  @Test(
    "A file in a write-protected folder can be read, and opening it for writing explains the error",
    .enabled(if: getuid() != 0, "nothing is write-protected for root"))
  func writeProtected() throws {
    let database = try folder.database()
    try database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try database.close()
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.file())
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }

    #expect(try folder.database(isReadOnly: true).integer("SELECT a FROM t") == 1)
    let error = #expect(throws: DatabaseError.self) { try folder.database() }
    #expect(error?.reason == .readOnly)
    let new = #expect(throws: DatabaseError.self) { try folder.database("new.store") }
    #expect(new?.reason == .cannotOpen)
  }

  /// The new target of a link by which a database was opened.
  @Test("Read connections use the file that was opened, or are refused", arguments: [false, true])
  func replacedFile(hasReader: Bool) throws {
    let manager = FileManager.default
    for (value, name) in ["a.store", "b.store"].enumerated() {
      let database = try folder.database(name)
      try database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (\(value))")
      try database.close()
    }
    try manager.createSymbolicLink(atPath: folder.file(), withDestinationPath: "a.store")
    let database = try folder.database()
    if hasReader { #expect(try database.integer("SELECT a FROM t") == 0) }
    try manager.removeItem(atPath: folder.file())
    try manager.createSymbolicLink(atPath: folder.file(), withDestinationPath: "b.store")
    if hasReader {
      #expect(try database.integer("SELECT a FROM t") == 0)
    } else {
      let error = #expect(throws: DatabaseError.self) { try database.integer("SELECT a FROM t") }
      #expect(error?.reason == .moved)
    }
    let error = #expect(throws: DatabaseError.self) { try database.execute("DELETE FROM t") }
    #expect(error?.reason == .moved)
  }

  @Test("A read connection cannot write")
  func readConnection() throws {
    let database = try folder.database()
    let error = #expect(throws: DatabaseError.self) { try database.read { try $0.execute("CREATE TABLE t (a)") } }
    #expect(error?.reason == .readOnly)
  }

  @Test(
    "A database file has a write-ahead log, foreign keys and the requested durability",
    arguments: [SQLiteConfiguration.Synchronous.normal, .full])
  func settings(
    synchronous: SQLiteConfiguration.Synchronous
  ) throws {
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: .file(folder.file()), synchronous: synchronous))
    let expected: Int64 = synchronous == .full ? 2 : 1
    func check(_ connection: any Connection) throws {
      #expect(try connection.rows("PRAGMA journal_mode") == [.text("wal")])
      #expect(try connection.integer("PRAGMA synchronous") == expected)
      #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    }
    try database.withoutTransaction(check)
    try database.read(check)
  }

  @Test("Closing leaves one file, and later calls throw")
  func closing() throws {
    let database = try folder.database()
    try database.execute("CREATE TABLE t (a)")
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    try database.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.store"])
    #expect(throws: DatabaseError.self) { try database.integer("SELECT 1") }
    #expect(throws: DatabaseError.self) { try database.execute("DROP TABLE t") }
    try database.close()
  }

  @Test("Releasing a database leaves one file")
  func releasing() throws {
    do {
      let database = try folder.database()
      try database.execute("CREATE TABLE t (a)")
      #expect(try database.integer("SELECT count(*) FROM t") == 0)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.store"])
  }

  /// The bytes of a database of several pages.
  private func goodFile() throws -> Data {
    let database = try folder.database("good.store")
    try database.execute("CREATE TABLE t (a)")
    try database.write { connection in
      for _ in 0..<20 { try connection.run("INSERT INTO t VALUES (?)", [.text(String(repeating: "x", count: 2000))]) }
    }
    try database.close()
    return try folder.contents("good.store")
  }

  @Test("A file with a non-empty journal or log is not read without locks", arguments: ["-journal", "-wal"])
  func unlockedFile(suffix: String) throws {
    try folder.database().close()
    let link = folder.file("link.store")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file())
    for path in [folder.file(), link] {
      try Data().write(to: URL(fileURLWithPath: folder.file() + suffix))
      #expect(UnlockedFile(path: path) != nil)
      try Data("half a transaction".utf8).write(to: URL(fileURLWithPath: folder.file() + suffix))
      #expect(UnlockedFile(path: path) == nil)
    }
  }
}
