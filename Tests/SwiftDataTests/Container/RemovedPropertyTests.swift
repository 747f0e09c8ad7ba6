import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Full, bare and other models are versions of one schema: with all properties, without them, and with some of them under
/// another name, default or type. Archived values are in tables named `swiftdata_kept_…`.
@Suite("Removing and restoring properties")
struct RemovedPropertyTests {
  private let folder: TemporaryFolder
  private static let scan = Data(repeating: 7, count: 200_000)
  private static var bareModels: [any PersistentModel.Type] {
    [BareParcels.Parcel.self, BareParcels.Depot.self, BareParcels.Seal.self]
  }

  init() throws {
    folder = try TemporaryFolder()
    let context = ModelContext(try openFull())
    context.autosaveEnabled = false
    let depots = ["n", "s"].map(FullParcels.Depot.init)
    let seals = ["y", "x"].map(FullParcels.Seal.init)
    // The parcels get the keys 1 to 4, which the SQL below relies on.
    for number in 1...4 {
      let parcel = FullParcels.Parcel(number, label: "p\(number)")
      context.insert(parcel)
      if number % 2 == 0 { parcel.weight = Double(number) }
      if number == 1 { parcel.size = ParcelSize(width: 3, height: 4) }
      parcel.marks = ["m\(number)"]
      parcel.seals = number == 1 ? seals : [seals[1]]
      try context.save()
    }
    let parcels = try context.all(FullParcels.Parcel.self, by: \.number)
    parcels[1].scan = Self.scan
    depots[0].parcels = [parcels[2], parcels[0]]
    depots[1].parcels = [parcels[3]]
    try context.save()
  }

  private func configuration(allowsSave: Bool = true) -> ModelConfiguration {
    ModelConfiguration(url: folder.file(), allowsSave: allowsSave)
  }

  @discardableResult
  private func openFull() throws -> ModelContainer {
    try ModelContainer(
      for: FullParcels.Parcel.self, FullParcels.Depot.self, FullParcels.Seal.self, configurations: configuration())
  }

  @discardableResult
  private func openBare() throws -> ModelContainer {
    try ModelContainer(for: Schema(Self.bareModels), configurations: configuration())
  }

  @discardableResult
  private func openOther() throws -> ModelContainer {
    try ModelContainer(
      for: OtherParcels.Parcel.self, OtherParcels.Depot.self, OtherParcels.Seal.self, configurations: configuration())
  }

  private func texts(_ sql: String) throws -> [String] {
    try StoreFiles.texts(sql, at: folder.file())
  }

  private func execute(_ sql: String) throws {
    try StoreFiles.execute(sql, at: folder.file())
  }

  private var archiveTables: [String] {
    get throws {
      try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'swiftdata_kept%' ORDER BY name")
    }
  }

  private var fileCount: Int {
    ExternalFiles(store: folder.file()).names().count
  }

  private func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try texts("PRAGMA foreign_key_check") == [], sourceLocation: sourceLocation)
    #expect(try texts("PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
  }

  /// Checks that all values are as they were written, except of some parcels.
  private func expectAll(without missing: Set<Int> = [], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let context = try openFull().freshContext()
    let parcels = try context.all(FullParcels.Parcel.self, by: \.number)
    let numbers = (1...4).filter { !missing.contains($0) }
    #expect(parcels.map(\.number) == numbers, sourceLocation: sourceLocation)
    for parcel in parcels {
      let number = parcel.number
      #expect(parcel.label == "p\(number)", sourceLocation: sourceLocation)
      #expect(parcel.weight == (number % 2 == 0 ? Double(number) : nil), sourceLocation: sourceLocation)
      #expect(parcel.size == (number == 1 ? ParcelSize(width: 3, height: 4) : nil), sourceLocation: sourceLocation)
      #expect(parcel.marks == ["m\(number)"], sourceLocation: sourceLocation)
      #expect(parcel.scan == (number == 2 ? Self.scan : nil), sourceLocation: sourceLocation)
      #expect(parcel.seals.map(\.word) == (number == 1 ? ["y", "x"] : ["x"]), sourceLocation: sourceLocation)
    }
    let depots = try context.all(FullParcels.Depot.self, by: \.name)
    let members = [[3, 1], [4]].map { $0.filter { !missing.contains($0) } }
    #expect(depots.map { $0.parcels.map(\.number) } == members, sourceLocation: sourceLocation)
    let seal = try context.all(FullParcels.Seal.self, by: \.word).first
    #expect(seal?.parcels.map(\.number) == numbers, sourceLocation: sourceLocation)
    #expect(try archiveTables == [], sourceLocation: sourceLocation)
    try expectSound(sourceLocation: sourceLocation)
  }

  @Test("Restoring a removed property restores its values")
  func removedIsRestored() throws {
    // Two rounds of removing and restoring. In each, the second opening finds the properties already removed.
    for _ in 0..<2 {
      for _ in 0..<2 {
        let context = try openBare().freshContext()
        #expect(try context.all(BareParcels.Parcel.self, by: \.number).map(\.number) == [1, 2, 3, 4])
      }
      // The file of the external scan is kept with its archived value.
      #expect(fileCount == 1)
      try expectSound()
      try expectAll()
    }
    let context = try openFull().freshContext()
    let parcel = try #require(try context.all(FullParcels.Parcel.self, by: \.number).first)
    parcel.seals.append(FullParcels.Seal("z"))
    try context.save()
    let later = try openFull().freshContext().all(FullParcels.Parcel.self, by: \.number)
    #expect(later.first?.seals.map(\.word) == ["y", "x", "z"])
  }

  @Test("SQL can read the values of a removed property")
  func sqlReadsRemoved() throws {
    try openBare()
    let labels = try texts("SELECT _id || ' ' || label FROM swiftdata_kept_Parcel_label")
    #expect(labels == ["1 p1", "2 p2", "3 p3", "4 p4"])
    #expect(try texts("SELECT _id || ' ' || weight FROM swiftdata_kept_Parcel_weight") == ["2 2.0", "4 4.0"])
    #expect(try texts("SELECT size_width || ' ' || size_height FROM swiftdata_kept_Parcel_size") == ["3 4"])
    #expect(try texts("SELECT parcel_id || ' ' || seal_id FROM swiftdata_kept_Parcel_seals").count == 5)
    #expect(try archiveTables.count == 7)
  }

  @Test("A removed property without values is not archived")
  func withoutValues() throws {
    try execute("UPDATE Parcel SET weight = NULL; DELETE FROM Parcel_seals")
    try openBare()
    #expect(try archiveTables.filter { $0.hasSuffix("weight") || $0.hasSuffix("seals") } == [])
  }

  @Test("Deleting a model deletes its archived values")
  func deletedModel() throws {
    let context = try openBare().freshContext()
    let parcels = try context.all(BareParcels.Parcel.self, by: \.number)
    context.delete(parcels[0])
    try context.delete(model: BareParcels.Parcel.self, where: #Predicate { $0.number == 2 })
    try context.save()
    for table in try archiveTables where !table.hasSuffix("seals") {
      #expect(try texts("SELECT _id FROM \(table) WHERE _id < 3") == [], "\(table)")
    }
    #expect(try texts("SELECT parcel_id FROM swiftdata_kept_Parcel_seals WHERE parcel_id < 3") == [])
    try openBare()
    #expect(fileCount == 0)
    try expectAll(without: [1, 2])
  }

  @Test("Deleting a target deletes archived references to it")
  func deletedTarget() throws {
    let context = try openBare().freshContext()
    let depot = try #require(try context.all(BareParcels.Depot.self, by: \.name).first)
    let seal = try #require(try context.all(BareParcels.Seal.self, by: \.word).first)
    context.delete(depot)
    context.delete(seal)
    try context.save()
    let back = try openFull().freshContext()
    let parcels = try back.all(FullParcels.Parcel.self, by: \.number)
    #expect(parcels.map { $0.depot?.name } == [nil, nil, nil, "s"])
    #expect(parcels.map { $0.seals.map(\.word) } == [["y"], [], [], []])
    try expectSound()
  }

  @Test("Erasing deletes archived values, and new models get none of them")
  func erasingLeavesNothing() throws {
    let container = try openBare()
    try container.erase()
    for table in try archiveTables { #expect(try texts("SELECT 1 FROM \(table)") == [], "\(table)") }
    #expect(fileCount == 0)
    let full = try openFull().freshContext()
    let parcel = FullParcels.Parcel(5, label: "new")
    full.insert(parcel)
    try full.save()
    #expect(try texts("SELECT 1 FROM Parcel WHERE _id > 4") == ["1"], "no key is assigned twice")
    #expect(parcel.weight == nil && parcel.seals.isEmpty)
  }

  @Test("A required property is restored only when each model has a value")
  func requiredProperty() throws {
    let bare = try openBare().freshContext()
    bare.insert(BareParcels.Parcel(5))
    try bare.save()
    let error = try expectRefusal(in: folder) { try openFull() }
    #expect(error?.details?.issues.map(\.entity) == ["Parcel"])
    #expect(error?.details?.issues.map(\.property) == ["label"])
    try bare.delete(model: BareParcels.Parcel.self, where: #Predicate { $0.number == 5 })
    try bare.save()
    try expectAll()
  }

  @Test("A property is restored under another name and with a default, and not as another type")
  func otherNameOrType() throws {
    let bare = try openBare().freshContext()
    bare.insert(BareParcels.Parcel(5))
    try bare.save()
    let parcels = try openOther().freshContext().all(OtherParcels.Parcel.self, by: \.number)
    #expect(parcels.map(\.title) == ["p1", "p2", "p3", "p4", "none"])
    #expect(parcels.map(\.weight) == [1.5, 2, 1.5, 4, 1.5])
    #expect(parcels.map(\.marks) == [[7], [7], [7], [7], [7]])
    #expect(parcels.map(\.scan) == [nil, Self.scan, nil, nil, nil])
    #expect(fileCount == 0)
    #expect(try texts("SELECT marks FROM swiftdata_kept_Parcel_marks WHERE _id = 1") == [#"["m1"]"#])
    try expectSound()
    // Removed once more, it is archived beside the earlier values.
    try openBare()
    #expect(try texts("SELECT marks FROM swiftdata_kept_Parcel_marks_2 WHERE _id = 1") == ["[7]"])
  }

  @Test("Archived values can be discarded by dropping their tables")
  func droppedArchives() throws {
    try openBare()
    for table in try archiveTables where !table.hasSuffix("label") { try execute("DROP TABLE \(table)") }
    let bare = try openBare().freshContext()
    #expect(fileCount == 0)
    try bare.delete(model: BareParcels.Parcel.self, where: #Predicate { $0.number == 4 })
    try bare.save()
    let parcels = try openFull().freshContext().all(FullParcels.Parcel.self, by: \.number)
    #expect(parcels.map(\.label) == ["p1", "p2", "p3"])
    #expect(parcels.allSatisfy { $0.weight == nil && $0.scan == nil && $0.seals.isEmpty && $0.depot == nil })
    #expect(try texts("SELECT value FROM swiftdata_metadata WHERE key = 'kept_values'") == ["[]"])
  }

  @Test(
    "A foreign table or view with the name of an archive is not changed",
    arguments: [
      "CREATE VIEW swiftdata_kept_Parcel_weight AS SELECT 1 AS _id, 2.5 AS weight",
      "CREATE TABLE swiftdata_kept_Parcel_weight (other)", "CREATE TABLE swiftdata_kept_Parcel_weight (_id, other)",
    ])
  func foreignTableOrView(damage: String) throws {
    try openBare()
    try execute("DROP TABLE swiftdata_kept_Parcel_weight; \(damage)")
    try openBare()
    let parcels = try openFull().freshContext().all(FullParcels.Parcel.self, by: \.number)
    #expect(parcels.map(\.label) == ["p1", "p2", "p3", "p4"])
    #expect(parcels.allSatisfy { $0.weight == nil })
    #expect(try texts("SELECT name FROM sqlite_schema WHERE name = 'swiftdata_kept_Parcel_weight'").count == 1)
    if damage.contains("VIEW") { return }
    parcels[0].weight = 8
    try parcels[0].modelContext?.save()
    try openBare()
    #expect(try texts("SELECT weight FROM swiftdata_kept_Parcel_weight_2") == ["8.0"])
  }

  @Test("A table that is not named as an archive is not restored from")
  func otherTableName() throws {
    try openBare()
    try execute(
      """
      CREATE TABLE Precious AS SELECT _id, weight FROM swiftdata_kept_Parcel_weight;
      UPDATE swiftdata_metadata SET value = replace(value, '"swiftdata_kept_Parcel_weight"', '"Precious"')
      WHERE key = 'kept_values'
      """)
    #expect(try openFull().freshContext().all(FullParcels.Parcel.self, by: \.number).allSatisfy { $0.weight == nil })
    #expect(try texts("SELECT weight FROM Precious") == ["2.0", "4.0"])
  }

  @Test("Archived rows without a model are not restored")
  func rowsWithoutModel() throws {
    try openBare()
    try execute(
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO swiftdata_kept_Parcel_weight VALUES (99, 1);
      INSERT INTO swiftdata_kept_Parcel_seals VALUES (99, 98, 1, 1);
      UPDATE swiftdata_kept_Parcel_depot SET depot_id = 97 WHERE _id = 4;
      """)
    let depots = try openFull().freshContext().all(FullParcels.Depot.self, by: \.name)
    #expect(depots.map { $0.parcels.map(\.number) } == [[3, 1], []])
    try expectSound()
  }

  @Test("A read-only store is refused when a property would have to be restored")
  func readOnlyStore() throws {
    try openBare()
    try expectRefusal(in: folder) {
      try ModelContainer(
        for: FullParcels.Parcel.self, FullParcels.Depot.self, FullParcels.Seal.self,
        configurations: configuration(allowsSave: false))
    }
  }

  @Test("An opening that fails at any statement leaves the store unchanged", arguments: [true, false])
  func failedOpening(isRemoval: Bool) throws {
    if !isRemoval { try openBare() }
    let before = try StoreFiles.contents(of: folder.url)
    let faults = CallFailures()
    let wrap: @Sendable (any Database) -> any Database = { faults.wrap($0) }
    for call in 0..<1000 {
      faults.fail(call...call)
      do {
        try DatabaseInterception.$wrap.withValue(wrap) {
          if isRemoval { try openBare() } else { try openFull() }
        }
        #expect(faults.stop() == 0, "a failure was ignored")
        #expect(call > 30)
        break
      } catch {
        #expect(error as? SwiftDataError == .loadIssueModelContainer)
        faults.stop()
        try #require(try StoreFiles.contents(of: folder.url) == before, "call \(call)")
      }
    }
    try expectAll()
  }

  @Test("Two containers that remove the properties concurrently archive the values once")
  func concurrentRemoval() throws {
    let url = folder.file()
    let other: @Sendable () throws -> Void = {
      try DatabaseInterception.$wrap.withValue(nil) {
        _ = try ModelContainer(for: Schema(Self.bareModels), configurations: ModelConfiguration(url: url))
      }
    }
    let wrap: @Sendable (any Database) -> any Database = { PrecededDatabase($0, event: other) }
    try DatabaseInterception.$wrap.withValue(wrap) { _ = try openBare() }
    #expect(try archiveTables.count == 7)
    try expectAll()
  }

  @Test("Many containers that remove the properties concurrently archive the values once")
  func manyConcurrentRemovals() async throws {
    let url = folder.file()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let container = try ModelContainer(
            for: Schema(Self.bareModels), configurations: ModelConfiguration(url: url))
          return try ModelContext(container).fetchCount(FetchDescriptor<BareParcels.Parcel>())
        }
      }
      for try await count in group { #expect(count == 4) }
    }
    #expect(try archiveTables.count == 7)
    try expectAll()
  }

  @Test("A container throws after another one has removed its properties, and works again when they are restored")
  func earlierContainer() throws {
    let context = try openFull().freshContext()
    try openBare()
    #expect(throws: (any Error).self) { try context.fetch(FetchDescriptor<FullParcels.Parcel>()) }
    try openFull()
    #expect(try context.all(FullParcels.Parcel.self, by: \.number).map(\.label) == ["p1", "p2", "p3", "p4"])
  }

  @Test("A property of a subclass is restored to the subclass's models")
  func subclassProperty() throws {
    let configuration = ModelConfiguration(url: folder.file("beasts.store"))
    func open(_ models: any PersistentModel.Type...) throws -> ModelContext {
      try ModelContainer(for: Schema(models), configurations: configuration).freshContext()
    }
    let full = try open(FullBeasts.Beast.self, FullBeasts.Hound.self)
    full.insert(FullBeasts.Beast())
    full.insert(FullBeasts.Hound(call: "wow"))
    try full.save()
    let bare = try open(BareBeasts.Beast.self, BareBeasts.Hound.self)
    bare.insert(BareBeasts.Beast())
    try bare.save()
    #expect(
      try open(FullBeasts.Beast.self, FullBeasts.Hound.self).only(FullBeasts.Hound.self).call == "wow",
      "the beast that was inserted meanwhile has no call, and needs none")
    let later = try open(BareBeasts.Beast.self, BareBeasts.Hound.self)
    later.insert(BareBeasts.Hound())
    try later.save()
    let error = #expect(throws: SwiftDataError.self) { try open(FullBeasts.Beast.self, FullBeasts.Hound.self) }
    #expect(error?.details?.issues.map(\.entity) == ["Hound"])
    #expect(error?.details?.issues.map(\.property) == ["call"])
  }
}
