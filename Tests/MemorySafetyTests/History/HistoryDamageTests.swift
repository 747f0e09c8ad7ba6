import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Another program has written to the history table, or replaced it. History calls may throw errors of the library, and saves
/// may succeed or be refused with one, but no row of a model is lost.
@Suite("Damaged history tables")
struct HistoryDamageTests {
  private let store: LoggedStore
  private var context: ModelContext { store.context }
  /// The names of all saved guides.
  private let names = ["a", "b", "c", "d"]

  /// Makes six transactions with insertions, updates and deletions.
  init() throws {
    store = try LoggedStore()
    let context = store.context
    for name in names {
      context.insert(LoggedGuide(name))
      try context.save()
    }
    let (trip, gone) = (LoggedTrip("trip"), LoggedTrip("gone"))
    context.insert(trip)
    context.insert(gone)
    trip.stages = [LoggedStage("1"), LoggedStage("2")]
    try context.save()
    trip.days = 5
    context.delete(gone)
    try context.save()
  }

  private func execute(_ sql: String) throws {
    try StoreFiles.execute(sql, at: store.url)
  }

  private static func isTyped(_ error: any Error) -> Bool {
    error is SwiftDataError || error is DataStoreError
  }

  /// Runs a body that may throw errors of the library only.
  ///
  /// - Returns: Whether it did not throw.
  @discardableResult
  private func attempt(
    _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) -> Bool {
    do {
      try body()
      return true
    } catch {
      #expect(Self.isTyped(error), "\(comment): \(error)", sourceLocation: sourceLocation)
      return false
    }
  }

  /// Reads the history by each interface.
  private func read(_ container: ModelContainer, _ comment: String) {
    attempt(comment) {
      for transaction in try container.logged() {
        for change in transaction.changes {
          _ = LoggedChange(change)
          if case .delete(let deletion as DefaultHistoryDelete<LoggedTrip>) = change { _ = Array(deletion.tombstone) }
        }
      }
    }
    let context = ModelContext(container)
    attempt(comment) {
      var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
        sortBy: [SortDescriptor(\.timestamp, order: .reverse)])
      descriptor.fetchLimit = 1
      _ = try context.fetchHistory(descriptor)
    }
    attempt(comment) {
      let date = Date.now
      _ = try context.fetchHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(
          predicate: #Predicate { $0.author == nil && $0.timestamp < date && $0.changes.count > 0 }))
    }
  }

  /// Saves another guide, and checks that it is stored if and only if the save succeeded.
  private func save(_ name: String, in container: ModelContainer) throws -> Bool {
    let context = ModelContext(container)
    context.insert(LoggedGuide(name))
    return attempt(name) { try context.save() }
  }

  private func expectRows(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(
      try StoreFiles.texts("SELECT name FROM LoggedGuide ORDER BY _id", at: store.url) == expected,
      sourceLocation: sourceLocation)
    #expect(
      try StoreFiles.texts("SELECT name FROM LoggedTrip", at: store.url) == ["trip"], sourceLocation: sourceLocation)
    #expect(
      try StoreFiles.texts("SELECT name FROM LoggedStage ORDER BY _id", at: store.url) == ["1", "2"],
      sourceLocation: sourceLocation)
    #expect(try StoreFiles.texts("PRAGMA integrity_check", at: store.url) == ["ok"], sourceLocation: sourceLocation)
  }

  // MARK: Records

  private func records() throws -> [[UInt8]] {
    try StoreFiles.texts("SELECT hex(changes) FROM swiftdata_history ORDER BY _id", at: store.url).map { hex in
      let digits = Array(hex.utf8).map { $0 < 65 ? $0 - 48 : $0 - 55 }
      return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }

  private func write(_ bytes: [UInt8], to condition: String = "_id = (SELECT max(_id) FROM swiftdata_history)") throws {
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try execute("UPDATE swiftdata_history SET changes = x'\(hex)' WHERE \(condition)")
  }

  @Test("A truncated record is not decoded")
  func truncated() throws {
    let last = try #require(try records().last)
    #expect(last.count > 10)
    for length in 0..<last.count {
      try write(Array(last[..<length]))
      let error = #expect(throws: (any Error).self, "\(length)") { try store.container.logged() }
      #expect(error.map(Self.isTyped) == true, "\(length): \(String(describing: error))")
    }
    try write(last + [0])
    #expect(throws: SwiftDataError.storeFailure) { try store.container.logged() }
    try write(last)
    #expect(try store.container.logged().count == 6)
    try expectRows(names)
  }

  @Test("Records of random bytes do not crash the program")
  func random() throws {
    let seed = TestOptions.seed
    var dice = SeededGenerator(seed: seed)
    let sound = try #require(try records().last)
    for round in 0..<150 {
      var bytes = sound
      switch round % 4 {
      case 0:
        bytes = (0..<Int.random(in: 0..<80, using: &dice)).map { _ in .random(in: 0...255, using: &dice) }
      case 1:
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice)
      case 2:
        for _ in 0..<4 {
          bytes[Int.random(in: 0..<bytes.count, using: &dice)] ^= 1 << UInt8.random(in: 0...7, using: &dice)
        }
      default:
        let place = Int.random(in: 0..<bytes.count, using: &dice)
        bytes.insert(contentsOf: (0..<3).map { _ in .random(in: 0...255, using: &dice) }, at: place)
      }
      try write(bytes)
      read(store.container, "OSD_SEED=\(seed), round \(round): \(bytes)")
    }
    #expect(try save("after", in: store.container), "OSD_SEED=\(seed)")
    try expectRows(names + ["after"])
  }

  @Test("An impossible count in a record does not allocate all memory")
  func hugeCounts() throws {
    let sound = try #require(try records().last)
    // Numbers of seven bits a byte: the largest of 64 bits, of 63 bits, and of 35.
    let numbers: [[UInt8]] = [
      Array(repeating: 0xff, count: 9) + [0x01], Array(repeating: 0xff, count: 8) + [0x7f],
      [0xff, 0xff, 0xff, 0xff, 0x7f], Array(repeating: 0xff, count: 12), Array(repeating: 0x80, count: 9) + [0x00],
    ]
    for number in numbers {
      for place in 0..<sound.count {
        var bytes = sound
        bytes.replaceSubrange(place...place, with: number)
        try write(bytes)
        read(store.container, "\(number.count) bytes at \(place)")
      }
    }
    try write(sound)
    #expect(try store.container.logged().count == 6)
    try expectRows(names)
  }

  @Test("A damaged record is reported as damage, and the other records stay readable")
  func oneRecord() throws {
    let all = try store.container.logged()
    try #require(all.count == 6)
    let id = all[2].transactionIdentifier
    try write([255, 254, 253], to: "_id = \(id)")
    let error = #expect(throws: SwiftDataError.storeFailure) { try store.container.logged() }
    #expect(error?.details?.storeFailureReason == .corrupt)
    #expect(try store.container.logged(after: all[2].token) == Array(all[3...]))
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: [SortDescriptor(\.timestamp, order: .reverse)]
    )
    descriptor.fetchLimit = 1
    #expect(try context.fetchHistory(descriptor) == [all[5]])
    #expect(try save("e", in: store.container))
    // Deleting the damaged transactions repairs the history.
    let token = all[2].token
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= token }))
    #expect(try store.container.logged().count == 4)
    try expectRows(names + ["e"])
  }

  @Test("Deleting the whole history removes all damaged records")
  func deletingDamage() throws {
    try write([1, 2, 3], to: "1")
    #expect(throws: SwiftDataError.storeFailure) { try store.container.logged() }
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(try store.container.logged().isEmpty)
    #expect(try save("e", in: store.container))
    #expect(try store.container.logged().count == 1)
    try expectRows(names + ["e"])
  }

  // MARK: Columns

  @Test(
    "Foreign values in the history table are reported as damage, or converted where possible",
    arguments: [
      "at = 'yesterday'", "at = 9e999", "at = -9e999", "at = x'00'", "author = 5", "author = x'ff00'", "author = 2.5",
      "process = x'ff'", "process = 3", "bundle = x''", "bundle = 0", "changes = 'text'", "changes = 5",
      "changes = 1.5", "changes = ''", "changes = zeroblob(1000000)",
    ])
  func values(assignment: String) throws {
    try execute("UPDATE swiftdata_history SET \(assignment) WHERE _id = (SELECT max(_id) FROM swiftdata_history)")
    read(store.container, assignment)
    #expect(try save("e", in: store.container))
    read(try store.reopen(), assignment)
    try expectRows(names + ["e"])
  }

  @Test(
    "Extreme transaction numbers do no harm", arguments: [Int64.max, .max - 1, 0, -1, .min])
  func numbers(number: Int64) throws {
    try execute("UPDATE swiftdata_history SET _id = \(number) WHERE _id = (SELECT max(_id) FROM swiftdata_history)")
    read(store.container, "\(number)")
    let isSaved = try save("e", in: store.container)
    let later = try store.reopen()
    read(later, "\(number)")
    let isSavedLater = try save("f", in: later)
    try expectRows(names + (isSaved ? ["e"] : []) + (isSavedLater ? ["f"] : []))
  }

  @Test(
    "Lost or reset sequences do not repeat an identifier",
    arguments: [
      "DELETE FROM swiftdata_sequences WHERE name LIKE 'swiftdata_history%'",
      "UPDATE swiftdata_sequences SET last = 0 WHERE name = 'swiftdata_history'",
      "UPDATE swiftdata_sequences SET last = -5 WHERE name LIKE 'swiftdata_history%'",
      "UPDATE swiftdata_sequences SET last = 9223372036854775807 WHERE name LIKE 'swiftdata_history%'",
    ])
  func sequences(sql: String) throws {
    let before = try store.container.logged()
    // If the sequences have other names, the statement fails and nothing is damaged.
    _ = try? execute(sql)
    let container = try store.reopen()
    read(container, sql)
    let isSaved = try save("e", in: container)
    if isSaved, let after = try? container.logged() {
      #expect(Set(after.map(\.transactionIdentifier)).count == after.count)
      #expect(after.filter { !before.contains($0) }.count == 1)
    }
    try expectRows(names + (isSaved ? ["e"] : []))
  }

  // MARK: Tables

  @Test("Dropping the history table while the store is open stops only saves or the history")
  func dropped() throws {
    try execute("DROP TABLE swiftdata_history")
    read(store.container, "dropped")
    let isSaved = try save("e", in: store.container)
    #expect(try store.container.freshContext().fetchCount(FetchDescriptor<LoggedGuide>()) == (isSaved ? 5 : 4))
    attempt { try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>()) }
    attempt { try context.update(LoggedTrip.self) { $0.set(\.days, to: 7) } }
    try expectRows(names + (isSaved ? ["e"] : []))
    let later = try store.reopen()
    #expect(try save("f", in: later))
    #expect(try later.logged().last?.changes.count == 1)
    try expectRows(names + (isSaved ? ["e"] : []) + ["f"])
  }

  @Test("A store of an earlier release gets a history when it is opened")
  func earlierRelease() throws {
    let before = try store.container.logged()
    try execute("DROP TABLE swiftdata_history")
    let container = try store.reopen()
    #expect(try container.logged().isEmpty)
    #expect(try save("e", in: container))
    let after = try container.logged()
    #expect(after.count == 1)
    #expect(after.allSatisfy { !before.contains($0) })
    try expectRows(names + ["e"])
  }

  @Test(
    "A foreign table or view with the history's name is neither used nor destroyed",
    arguments: [
      "TABLE swiftdata_history (words TEXT); INSERT INTO swiftdata_history VALUES ('mine')",
      "TABLE swiftdata_history (_id INTEGER PRIMARY KEY, words TEXT); INSERT INTO swiftdata_history VALUES (1, 'mine')",
      "VIEW swiftdata_history AS SELECT 'mine' AS words",
      """
      VIEW swiftdata_history AS
      SELECT 1 AS _id, 0.0 AS at, NULL AS author, 'p' AS process, 'b' AS bundle, x'00' AS changes, 'mine' AS words
      """,
      """
      TABLE swiftdata_history (_id TEXT, at TEXT, author TEXT, process TEXT, bundle TEXT, changes TEXT, words TEXT);
      INSERT INTO swiftdata_history VALUES ('x', 'x', 'x', 'x', 'x', 'x', 'mine')
      """,
      """
      TABLE swiftdata_history (
        _id INTEGER PRIMARY KEY, at REAL, author TEXT, process TEXT, bundle TEXT, changes BLOB, words TEXT NOT NULL);
      INSERT INTO swiftdata_history VALUES (1, 0, NULL, 'p', 'b', x'00', 'mine')
      """,
      "VIRTUAL TABLE swiftdata_history USING fts5(words); INSERT INTO swiftdata_history VALUES ('mine')",
    ])
  func foreign(sql: String) throws {
    try execute("DROP TABLE swiftdata_history; CREATE \(sql);")
    var saved: [String] = []
    // First by the open container, then by new ones.
    read(store.container, sql)
    if try save("e", in: store.container) { saved.append("e") }
    attempt(sql) {
      let later = try store.reopen()
      read(later, sql)
      if try save("f", in: later) { saved.append("f") }
      attempt(sql) { try ModelContext(later).update(LoggedTrip.self) { $0.set(\.days, to: 7) } }
    }
    // A table with all of the history's columns cannot be distinguished from it, and is emptied with it.
    if !sql.contains("changes") { attempt(sql) { _ = try store.reopen(options: .init(history: .none)) } }
    #expect(try StoreFiles.texts("SELECT words FROM swiftdata_history WHERE words = 'mine'", at: store.url) == ["mine"])
    try expectRows(names + saved)
  }

  @Test(
    "When the history record cannot be written nothing is saved, and a later save writes everything",
    arguments: ["INSERT", "hole"])
  func refusedRecord(kind: String) throws {
    let all = try store.container.logged()
    try execute(
      """
      CREATE TRIGGER no_history BEFORE INSERT ON swiftdata_history
      BEGIN SELECT RAISE(\(kind == "INSERT" ? "ABORT, 'no'" : "IGNORE")); END
      """)
    let guide = LoggedGuide("e")
    context.insert(guide)
    let isSaved = attempt { try context.save() }
    if kind == "INSERT" {
      #expect(!isSaved)
      #expect(context.hasChanges)
      try expectRows(names)
      #expect(try store.container.logged() == all)
      let other = ModelContext(store.container)
      attempt { try other.update(LoggedTrip.self) { $0.set(\.days, to: 77) } }
      #expect(try StoreFiles.texts("SELECT CAST(days AS TEXT) FROM LoggedTrip", at: store.url) == ["5"])
    }
    try execute("DROP TRIGGER no_history")
    if !isSaved { try context.save() }
    try expectRows(names + ["e"])
    if !isSaved { expectChanges(try store.container.logged(after: all.last?.token).first, [.insert(guide)]) }
    #expect(try save("f", in: store.container))
  }

  @Test("A foreign index or column in the history table does no harm")
  func additions() throws {
    try execute(
      """
      CREATE INDEX rogue ON swiftdata_history (author, process);
      ALTER TABLE swiftdata_history ADD COLUMN rogue TEXT DEFAULT 'x';
      """)
    #expect(try save("e", in: store.container))
    #expect(try store.container.logged().count == 7)
    attempt {
      let later = try store.reopen()
      #expect(try later.logged().count == 7)
    }
    try expectRows(names + ["e"])
  }
}
