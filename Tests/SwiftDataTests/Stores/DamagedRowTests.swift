import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Model
final class Ledger {
  var count = 0
  var small: Int8 = 0
  var wide: UInt64 = 0
  var amount = 0.0
  var optionalAmount: Double?
  var name = ""
  var suit = Suit.hearts
  var optionalSuit: Suit?
  var level = Priority.low
  var shape = Figure.point
  var address = Structures.plain
  var tags: [String] = []
  var price = Decimal(0)
  var code = Bytes.first
  @Attribute(.externalStorage) var image = Data()
  @Attribute(.externalStorage) var preview: Data?
  let made: Date

  init() {
    made = Date(timeIntervalSinceReferenceDate: 0)
  }
}

/// Relaxes the column definitions, as another program may do, and sets one column to a value that its property cannot have.
@Suite("Rows whose values do not fit their properties")
struct DamagedRowTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let context = ModelContext(try open())
    let ledger = Ledger()
    ledger.image = Data(count: ExternalFiles.threshold + 1)
    ledger.preview = Data(count: ExternalFiles.threshold + 1)
    context.insert(ledger)
    try context.save()
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(for: Ledger.self, configurations: ModelConfiguration(url: folder.file()))
  }

  private func damage(_ assignment: String) throws {
    try StoreFiles.execute(
      """
      CREATE TABLE relaxed AS SELECT * FROM Ledger;
      DROP TABLE Ledger;
      CREATE TABLE Ledger AS SELECT * FROM relaxed;
      DROP TABLE relaxed;
      UPDATE Ledger SET \(assignment);
      """, at: folder.file())
  }

  @Test(
    "Fetching a damaged row throws an error that names entity and property",
    arguments: [
      ("count = 'many'", "count"), ("count = NULL", "count"), ("count = x'00'", "count"), ("small = 1000", "small"),
      ("wide = -1", "wide"), ("wide = 'many'", "wide"), ("amount = 'much'", "amount"), ("amount = NULL", "amount"),
      ("optionalAmount = 'much'", "optionalAmount"), ("name = NULL", "name"), ("suit = 'swords'", "suit"),
      ("suit = NULL", "suit"), ("optionalSuit = 'swords'", "optionalSuit"), ("level = 5", "level"),
      ("level = 'high'", "level"), ("shape = '{\"square\":{}}'", "shape"), ("shape = '{'", "shape"),
      ("shape = NULL", "shape"), ("address_street = NULL", "address"), ("address_notes = '[1'", "address"),
      ("address_place_latitude = 'north'", "address"), ("address_limit = 'none'", "address"), ("tags = ''", "tags"),
      ("tags = '{}'", "tags"), ("tags = NULL", "tags"), ("price = 'dear'", "price"), ("code = x'0102'", "code"),
      ("code = NULL", "code"), ("made = NULL", "made"), ("made = 'long ago'", "made"),
      ("image = 'no such file'", "image"), ("image = '../../test.store'", "image"), ("image = NULL", "image"),
      ("preview = 'C56A4180-65AA-42EC-A945-5FD21DEC0538'", "preview"),
    ])
  func fetchingThrowsNaming(assignment: String, property: String) throws {
    try damage(assignment)
    let context = ModelContext(try open())
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Ledger>()) }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.entity == "Ledger")
    #expect(error?.details?.property == property)
    #expect(try context.fetchCount(FetchDescriptor<Ledger>()) == 1)
    let count = "SELECT count(*) FROM Ledger WHERE \(condition(assignment))"
    #expect(try StoreFiles.texts(count, at: folder.file()) == ["1"], "the row must keep what it has")
  }

  @Test("Other properties of a damaged row are read, and the next call throws the error")
  func otherPropertiesAreRead() throws {
    try damage("count = 3, shape = '{', name = 'n'")
    let context = ModelContext(try open())
    let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Ledger>()).first)
    let ledger = try #require(context.model(for: identifier) as? Ledger)
    #expect(ledger.count == 3)
    #expect(ledger.name == "n")
    _ = ledger.shape
    let error = #expect(throws: SwiftDataError.self) { try context.fetchCount(FetchDescriptor<Ledger>()) }
    #expect(error?.details?.property == "shape")
    ledger.count = 4
    try context.save()
    let count = "SELECT count(*) FROM Ledger WHERE count = 4 AND shape = '{'"
    #expect(try StoreFiles.texts(count, at: folder.file()) == ["1"], "the damaged value must stay")
  }

  @Test(
    "Summing a damaged value throws an error that names entity and property",
    arguments: [
      ("count = 'many'", "count"), ("count = x'00'", "count"), ("wide = 'many'", "wide"), ("wide = x'0102'", "wide"),
      ("wide = x'0000000000000001'", "wide"), ("amount = 'much'", "amount"), ("amount = x'00'", "amount"),
      ("optionalAmount = 'much'", "optionalAmount"), ("price = 'dear'", "price"), ("price = x'00'", "price"),
      ("made = 'long ago'", "made"),
    ])
  func sumThrows(assignment: String, property: String) throws {
    try damage(assignment)
    let context = ModelContext(try open())
    let error = #expect(throws: SwiftDataError.self) {
      _ = try context.fetchAggregates(
        .sum(of: \Ledger.count), .sum(of: \Ledger.wide), .sum(of: \Ledger.amount),
        .average(of: \Ledger.optionalAmount), .sum(of: \Ledger.price), .average(of: \Ledger.made))
    }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.entity == "Ledger")
    #expect(error?.details?.property == property)
    if property == "price" {
      #expect(throws: SwiftDataError.modelValidationFailure) {
        try context.fetchAggregates(.average(of: \Ledger.price))
      }
    } else {
      #expect(try context.fetchAggregates(.sum(of: \Ledger.price)) == 0)
    }
  }

  @Test("Sums include NaN and integers beyond Int64.max")
  func unusualNumbers() throws {
    try damage("amount = 'NaN', wide = x'FFFFFFFFFFFFFFFF'")
    let context = ModelContext(try open())
    #expect(try context.fetchAggregates(.sum(of: \Ledger.amount)).isNaN)
    #expect(try context.fetchAggregates(.sum(of: \Ledger.wide)) == .max)
  }

  @Test(
    "Grouping by an invalid key throws an error that names the entity",
    arguments: ["-9223372036854775808", "-5", "0", "9223372036854775807"])
  func groupKey(key: String) throws {
    try damage("_id = \(key)")
    let context = ModelContext(try open())
    let error = #expect(throws: SwiftDataError.self) {
      _ = try context.fetchGroups(by: \Ledger.persistentModelID, computing: .count)
    }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.entity == "Ledger")
  }

  private func condition(_ assignment: String) -> String {
    assignment.replacingOccurrences(of: " = ", with: " IS ")
  }

  @Test("A missing file is an error of its property")
  func missingFile() throws {
    try FileManager.default.removeItem(at: ExternalFiles(store: folder.file()).folder)
    let context = ModelContext(try open())
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Ledger>()) }
    #expect(error?.details?.property == "image")
    #expect(error?.details?.underlyingError != nil)
  }

  @Test("A registered object keeps its values when its row is damaged")
  func registeredObject() throws {
    let context = ModelContext(try open())
    let ledger = try #require(try context.fetch(FetchDescriptor<Ledger>()).first)
    try damage("suit = 'swords'")
    #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Ledger>()) }
    #expect(ledger.suit == .hearts)
    #expect(ledger.shape == .point)
  }

  @Test("Faults of a damaged row have fallback values, and the next call throws")
  func faultOfDamagedRow() throws {
    let identifier = try #require(try ModelContext(try open()).fetchIdentifiers(FetchDescriptor<Ledger>()).first)
    try damage("shape = 'x', suit = 7")
    let context = ModelContext(try open())
    let ledger = context.model(for: identifier) as? Ledger
    #expect(ledger?.suit == .hearts)
    #expect(ledger?.shape == .point)
    #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Ledger>()) }
  }

  @Test("Reading a damaged row does not affect other rows read after it")
  func otherRows() throws {
    let identifier = try #require(try ModelContext(try open()).fetchIdentifiers(FetchDescriptor<Ledger>()).first)
    try damage("shape = 'x', suit = 7")
    let container = try open()
    let filling = ModelContext(container)
    let sound = Ledger()
    sound.count = 5
    sound.shape = .circle(radius: 2)
    filling.insert(sound)
    try filling.save()
    for _ in 0..<2 {
      let context = ModelContext(container)
      for _ in 0..<2 {
        let damaged = context.model(for: identifier) as? Ledger
        #expect(damaged?.suit == .hearts)
        let read = context.model(for: sound.persistentModelID) as? Ledger
        #expect(read?.count == 5)
        #expect(read?.shape == .circle(radius: 2))
      }
    }
  }

  @Test(
    "A predicate over the elements of invalid JSON is an error",
    arguments: [
      "'[\"a\"'", "'[\"a\", 1] x'", "''", "'\"a\"'", "5", "x'5B5D'", "replace(hex(zeroblob(100000)), '0', '[')",
    ])
  func damagedElements(json: String) throws {
    try damage("tags = \(json)")
    let context = ModelContext(try open())
    context.allowsInMemoryEvaluation = false
    for predicate in [
      #Predicate<Ledger> { $0.tags.contains("a") }, #Predicate<Ledger> { $0.tags.count == 1 },
      #Predicate<Ledger> { $0.tags.allSatisfy { $0.starts(with: "b") } }, #Predicate<Ledger> { $0.tags[0] == "a" },
    ] {
      let failure = #expect(throws: SwiftDataError.storeFailure) {
        try context.fetchCount(FetchDescriptor(predicate: predicate))
      }
      #expect(failure?.details?.message?.contains("malformed JSON") == true)
    }
  }
}
