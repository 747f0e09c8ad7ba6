import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Preserves attributes of every kind, and one not.
@Model
final class LoggedSpecimen {
  @Attribute(.unique, .preserveValueOnDeletion) var number: Int
  var plain = "plain"
  @Attribute(.preserveValueOnDeletion) var text = ""
  @Attribute(.preserveValueOnDeletion) var flag = false
  @Attribute(.preserveValueOnDeletion) var tiny: Int8 = 0
  @Attribute(.preserveValueOnDeletion) var large: Int64 = 0
  @Attribute(.preserveValueOnDeletion) var short: UInt16 = 0
  @Attribute(.preserveValueOnDeletion) var wide: UInt64 = 0
  @Attribute(.preserveValueOnDeletion) var single: Float = 0
  @Attribute(.preserveValueOnDeletion) var real = 0.0
  @Attribute(.preserveValueOnDeletion) var decimal = Decimal(0)
  @Attribute(.preserveValueOnDeletion) var date = Date(timeIntervalSinceReferenceDate: 0)
  @Attribute(.preserveValueOnDeletion) var code = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  @Attribute(.preserveValueOnDeletion) var data = Data()
  @Attribute(.preserveValueOnDeletion) var link = URL(fileURLWithPath: "/")
  @Attribute(.preserveValueOnDeletion) var paint = Paint.red
  @Attribute(.preserveValueOnDeletion) var outline = Outline.circle(radius: 1)
  @Attribute(.preserveValueOnDeletion) var place = Place(street: "", zip: nil)
  @Attribute(.codable, .preserveValueOnDeletion) var encoded = Place(street: "", zip: nil)
  @Attribute(.preserveValueOnDeletion) var list: [String] = []
  @Attribute(.preserveValueOnDeletion) var set: Set<Int> = []
  @Attribute(.preserveValueOnDeletion) var table: [String: Int] = [:]
  @Attribute(.preserveValueOnDeletion) var places: [Place] = []
  @Attribute(.preserveValueOnDeletion) var anyText: String?
  @Attribute(.preserveValueOnDeletion) var anyNumber: Int?
  @Attribute(.preserveValueOnDeletion) var anyFlag: Bool?
  @Attribute(.preserveValueOnDeletion) var anyReal: Double?
  @Attribute(.preserveValueOnDeletion) var anyDecimal: Decimal?
  @Attribute(.preserveValueOnDeletion) var anyDate: Date?
  @Attribute(.preserveValueOnDeletion) var anyCode: UUID?
  @Attribute(.preserveValueOnDeletion) var anyData: Data?
  @Attribute(.preserveValueOnDeletion) var anyLink: URL?
  @Attribute(.preserveValueOnDeletion) var anyPaint: Paint?
  @Attribute(.preserveValueOnDeletion) var anyOutline: Outline?
  @Attribute(.preserveValueOnDeletion) var anyPlace: Place?
  @Attribute(.preserveValueOnDeletion) var anyList: [String]?
  @Attribute(.externalStorage, .preserveValueOnDeletion) var image: Data?
  var owner: LoggedCollector?

  init(_ number: Int) {
    self.number = number
  }

  /// Gives all properties values that are rare, and differ from specimen to specimen.
  func fill(_ step: Int) {
    (text, flag, tiny, large, short) = ("t\(step)\0\u{301}\u{1F600}'", true, .min, .min + Int64(step), .max)
    (wide, single, real) = (.max - UInt64(step), -0.5, step == 0 ? .infinity : Double(step) / 3)
    decimal = Decimal(string: "-12345678901234567890.\(step)") ?? 0
    date = Date(timeIntervalSinceReferenceDate: -1e9 + Double(step) / 1000)
    code = UUID(uuid: (UInt8(step & 255), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    data = Data([0, 255, UInt8(step & 255)])
    link = URL(string: "https://example.org/\(step)?a=b#c") ?? link
    (paint, outline) = (.green, .square(side: Double(step)))
    (place, encoded) = (Place(street: "s\(step)", zip: step), Place(street: "e", zip: nil))
    (list, set, table) = (["a", "", "\(step)"], [1, step], ["a": 1, "b": step])
    places = [Place(street: "x", zip: 1), Place(street: "", zip: nil)]
  }

  func fillOptionals(_ step: Int) {
    (anyText, anyNumber, anyFlag, anyReal) = ("", 0, false, -0.0)
    (anyDecimal, anyDate, anyCode) = (Decimal(step), .distantPast, code)
    (anyData, anyLink, anyPaint) = (Data(), link, .red)
    (anyOutline, anyPlace, anyList) = (.circle(radius: 0), Place(street: "", zip: 0), [])
    image = Data(repeating: UInt8(step & 255), count: 3)
  }
}

@Model
final class LoggedCollector {
  @Attribute(.preserveValueOnDeletion) var name: String
  @Relationship(deleteRule: .cascade, inverse: \LoggedSpecimen.owner) var specimens: [LoggedSpecimen] = []

  init(_ name: String) {
    self.name = name
  }
}

@Suite("What is left of deleted models in the history")
struct HistoryTombstoneTests {
  /// One attribute, its value in a model, in a tombstone, and as an element of a tombstone.
  private struct Field {
    let name: String
    let value: (LoggedSpecimen) -> Any?
    let stored: (HistoryTombstone<LoggedSpecimen>) -> Any?
    let isEqual: (Any?, Any?) -> Bool
  }

  private static func field<Value: Equatable>(_ name: String, _ keyPath: KeyPath<LoggedSpecimen, Value>) -> Field {
    Field(
      name: name, value: { $0[keyPath: keyPath] }, stored: { $0[keyPath].map { $0 as Any } },
      isEqual: { ($0 as? Value) == ($1 as? Value) && $0 is Value && $1 is Value })
  }

  private static func field<Value: Equatable>(_ name: String, _ keyPath: KeyPath<LoggedSpecimen, Value?>) -> Field {
    Field(
      name: name, value: { $0[keyPath: keyPath].map { $0 as Any } }, stored: { $0[keyPath].map { $0 as Any } },
      isEqual: { ($0 as? Value) == ($1 as? Value) && ($0 == nil) == ($1 == nil) })
  }

  /// In the order of declaration.
  private static var fields: [Field] {
    [
      field("number", \.number), field("text", \.text), field("flag", \.flag), field("tiny", \.tiny),
      field("large", \.large), field("short", \.short), field("wide", \.wide), field("single", \.single),
      field("real", \.real), field("decimal", \.decimal), field("date", \.date), field("code", \.code),
      field("data", \.data), field("link", \.link), field("paint", \.paint), field("outline", \.outline),
      field("place", \.place), field("encoded", \.encoded), field("list", \.list), field("set", \.set),
      field("table", \.table), field("places", \.places), field("anyText", \.anyText),
      field("anyNumber", \.anyNumber), field("anyFlag", \.anyFlag), field("anyReal", \.anyReal),
      field("anyDecimal", \.anyDecimal), field("anyDate", \.anyDate), field("anyCode", \.anyCode),
      field("anyData", \.anyData), field("anyLink", \.anyLink), field("anyPaint", \.anyPaint),
      field("anyOutline", \.anyOutline), field("anyPlace", \.anyPlace), field("anyList", \.anyList),
      field("image", \.image),
    ]
  }

  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try Self.open(folder)
    context = ModelContext(container)
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Schema([LoggedSpecimen.self, LoggedCollector.self] + LoggedStore.models),
      configurations: ModelConfiguration(url: folder.file()))
  }

  private func insert(_ numbers: Range<Int>, optionals: Bool) throws -> [LoggedSpecimen] {
    let specimens = numbers.map { number in
      let specimen = LoggedSpecimen(number)
      context.insert(specimen)
      specimen.fill(number)
      if optionals { specimen.fillOptionals(number) }
      return specimen
    }
    try context.save()
    return specimens
  }

  private func deletions<Model: PersistentModel>(
    of type: Model.Type, in container: ModelContainer? = nil
  ) throws -> [DefaultHistoryDelete<Model>] {
    try (container ?? self.container).logged().flatMap(\.changes).compactMap { change in
      if case .delete(let deletion as DefaultHistoryDelete<Model>) = change { deletion } else { nil }
    }
  }

  /// Expects that a tombstone has what a model has, read by key path and by iteration.
  private func expect(
    _ deletion: DefaultHistoryDelete<LoggedSpecimen>?, _ specimen: LoggedSpecimen,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let tombstone = try #require(deletion, sourceLocation: sourceLocation).tombstone
    var elements = Array(tombstone)
    for field in Self.fields {
      let expected = field.value(specimen)
      let found = field.stored(tombstone)
      #expect(
        field.isEqual(found, expected), "\(field.name): \(String(describing: found))", sourceLocation: sourceLocation)
      if expected == nil { continue }
      let element = elements.isEmpty ? nil : elements.removeFirst()
      #expect(field.isEqual(element, expected), "element \(field.name)", sourceLocation: sourceLocation)
      #expect(!"\(element ?? 0)".hasPrefix("Optional("), "element \(field.name)", sourceLocation: sourceLocation)
    }
    #expect(elements.isEmpty, sourceLocation: sourceLocation)
    #expect(tombstone[\.plain] == nil, sourceLocation: sourceLocation)
    #expect(tombstone[\.owner] == nil, sourceLocation: sourceLocation)
  }

  /// A model that was never inserted, with the values of one that was.
  private func specimen(_ number: Int, optionals: Bool) -> LoggedSpecimen {
    let specimen = LoggedSpecimen(number)
    specimen.fill(number)
    if optionals { specimen.fillOptionals(number) }
    return specimen
  }

  // MARK: Values

  @Test("Attributes of every type are preserved, and those that are nil are left out", arguments: [false, true])
  func everyType(optionals: Bool) throws {
    for specimen in try insert(0..<3, optionals: optionals) { context.delete(specimen) }
    try context.save()
    let found = try deletions(of: LoggedSpecimen.self)
    #expect(found.count == 3)
    for (number, deletion) in found.enumerated() { try expect(deletion, specimen(number, optionals: optionals)) }
    #expect(found.map { Array($0.tombstone).count } == Array(repeating: optionals ? 36 : 22, count: found.count))
  }

  @Test("Attributes with the values that they have at first are preserved")
  func defaults() throws {
    let inserted = LoggedSpecimen(7)
    context.insert(inserted)
    try context.save()
    context.delete(inserted)
    try context.save()
    try expect(try deletions(of: LoggedSpecimen.self).first, LoggedSpecimen(7))
  }

  @Test("A value is what `as?` says it is")
  func types() throws {
    let inserted = try insert(1..<2, optionals: true)[0]
    context.delete(inserted)
    try context.save()
    let tombstone = try #require(try deletions(of: LoggedSpecimen.self).first).tombstone
    #expect(tombstone[\.number] as? Int == 1)
    #expect(tombstone[\.number] as? String == nil)
    #expect(tombstone[\.anyText] as? String == "")
    #expect(tombstone[\.anyPaint] as? Paint == .red)
    #expect(tombstone[\.place] as? Place == Place(street: "s1", zip: 1))
    #expect(tombstone[\.table] as? [String: Int] == ["a": 1, "b": 1])
    var names: [String] = []
    for case let text as String in tombstone { names.append(text) }
    #expect(names == [self.specimen(1, optionals: true).text, ""])
  }

  @Test("A large value outside the row is preserved, and its file goes with the row", arguments: [200_000, 3])
  func externalStorage(size: Int) throws {
    let inserted = LoggedSpecimen(1)
    context.insert(inserted)
    let image = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
    inserted.image = image
    try context.save()
    context.delete(inserted)
    try context.save()
    #expect(try deletions(of: LoggedSpecimen.self).first?.tombstone[\.image] as? Data == image)
    let other = try Self.open(folder)
    #expect(try deletions(of: LoggedSpecimen.self, in: other).first?.tombstone[\.image] as? Data == image)
  }

  @Test("A row whose file is gone is deleted nevertheless, without that value")
  func missingFile() throws {
    let inserted = LoggedSpecimen(1)
    context.insert(inserted)
    inserted.text = "kept"
    inserted.image = Data(count: 200_000)
    try context.save()
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    for name in names {
      let url = folder.url.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
        continue
      }
      if !url.lastPathComponent.hasPrefix("test.store") { try FileManager.default.removeItem(at: url) }
    }
    let other = container.freshContext()
    try other.delete(model: LoggedSpecimen.self)
    try other.save()
    let tombstone = try #require(try deletions(of: LoggedSpecimen.self).first).tombstone
    #expect(tombstone[\.text] as? String == "kept")
    #expect(tombstone[\.image] == nil)
  }

  // MARK: Ways to delete

  private enum Way: String, CaseIterable {
    case fetched, partlyFetched, unread, byPredicate, all, cascade, cascadeByPredicate, changedElsewhere
  }

  @Test("Preserved values are those of the store, however rows are deleted", arguments: Way.allCases)
  private func ways(way: Way) throws {
    let collector = LoggedCollector("c")
    context.insert(collector)
    let inserted = try insert(0..<4, optionals: true)
    for specimen in inserted { specimen.owner = collector }
    try context.save()
    let identifiers = inserted.map(\.persistentModelID)
    let other = container.freshContext()
    switch way {
    case .fetched:
      for specimen in try other.fetch(FetchDescriptor<LoggedSpecimen>()) { other.delete(specimen) }
    case .partlyFetched:
      var descriptor = FetchDescriptor<LoggedSpecimen>()
      descriptor.propertiesToFetch = [\.plain]
      for specimen in try other.fetch(descriptor) { other.delete(specimen) }
    case .unread:
      for identifier in identifiers {
        other.delete(try #require(other.model(for: identifier) as? LoggedSpecimen))
      }
    case .byPredicate:
      try other.delete(model: LoggedSpecimen.self, where: #Predicate { $0.number >= 0 })
    case .all:
      try other.delete(model: LoggedSpecimen.self)
    case .cascade:
      other.delete(try other.only(LoggedCollector.self))
    case .cascadeByPredicate:
      try other.delete(model: LoggedCollector.self, where: #Predicate { $0.name == "c" })
    case .changedElsewhere:
      // Another container changes the rows, of which this context does not hear.
      let models = try other.fetch(FetchDescriptor<LoggedSpecimen>())
      for specimen in models { _ = specimen.text }
      let elsewhere = ModelContext(try Self.open(folder))
      for specimen in try elsewhere.fetch(FetchDescriptor<LoggedSpecimen>()) {
        specimen.text = "changed \(specimen.number)"
      }
      try elsewhere.save()
      for specimen in models { other.delete(specimen) }
    }
    try other.save()
    let found = try deletions(of: LoggedSpecimen.self)
    #expect(found.map(\.changedPersistentIdentifier) == identifiers)
    for (number, deletion) in found.enumerated() {
      let expected = self.specimen(number, optionals: true)
      if way == .changedElsewhere { expected.text = "changed \(number)" }
      try expect(deletion, expected)
    }
    let collectors = try deletions(of: LoggedCollector.self).map { $0.tombstone[\.name] as? String }
    #expect(collectors == (way == .cascade || way == .cascadeByPredicate ? ["c"] : []))
  }

  @Test("What was changed and not saved before the deletion does not count", arguments: [false, true])
  func unsavedEdit(byPredicate: Bool) throws {
    for specimen in try insert(0..<3, optionals: true) {
      specimen.fill(100)
      specimen.anyText = nil
      specimen.number = -specimen.number
      specimen.image = nil
      if !byPredicate { context.delete(specimen) }
    }
    if byPredicate { try context.delete(model: LoggedSpecimen.self) }
    try context.save()
    let found = try deletions(of: LoggedSpecimen.self)
    #expect(found.count == 3)
    for (number, deletion) in found.enumerated() { try expect(deletion, specimen(number, optionals: true)) }
  }

  @Test("What was changed and saved before the deletion counts")
  func savedEdit() throws {
    let inserted = try insert(0..<1, optionals: true)[0]
    inserted.fill(5)
    inserted.anyDate = nil
    try context.save()
    try context.update(LoggedSpecimen.self) { $0.set(\.anyNumber, to: 99) }
    context.delete(inserted)
    try context.save()
    let expected = specimen(0, optionals: true)
    expected.fill(5)
    (expected.anyDate, expected.anyNumber) = (nil, 99)
    try expect(try deletions(of: LoggedSpecimen.self).first, expected)
  }

  @Test("Each of many rows has its own values, whatever the order of the deletions", arguments: [false, true])
  func manyRows(byPredicate: Bool) throws {
    let specimens = (0..<400).map { number in
      let specimen = LoggedSpecimen(number)
      context.insert(specimen)
      specimen.text = "text \(number)"
      specimen.anyNumber = number % 3 == 0 ? nil : number
      return specimen
    }
    try context.save()
    var dice = SeededGenerator(seed: 5)
    let doomed = Set(specimens.shuffled(using: &dice).prefix(150).map(\.number))
    let numbers = Dictionary(uniqueKeysWithValues: specimens.map { ($0.persistentModelID, $0.number) })
    let other = container.freshContext()
    if byPredicate {
      let list = Array(doomed)
      try other.delete(model: LoggedSpecimen.self, where: #Predicate { list.contains($0.number) })
    } else {
      for specimen in try other.fetch(FetchDescriptor<LoggedSpecimen>()).shuffled(using: &dice)
      where doomed.contains(specimen.number) {
        other.delete(specimen)
      }
    }
    try other.save()
    let found = try deletions(of: LoggedSpecimen.self)
    #expect(Set(found.compactMap { numbers[$0.changedPersistentIdentifier] }) == doomed)
    for deletion in found {
      let number = try #require(numbers[deletion.changedPersistentIdentifier])
      #expect(deletion.tombstone[\.number] as? Int == number)
      #expect(deletion.tombstone[\.text] as? String == "text \(number)")
      #expect(deletion.tombstone[\.anyNumber] as? Int == (number % 3 == 0 ? nil : number))
    }
  }

  // MARK: Classes

  @Test("Inherited attributes are preserved, before the class's own")
  func inheritance() throws {
    let (car, truck) = (LoggedVehicle(plate: "car"), LoggedTruck(plate: "truck", load: 5))
    context.insert(car)
    context.insert(truck)
    try context.save()
    for vehicle in [car, truck] { context.delete(vehicle) }
    try context.save()
    let cars = try deletions(of: LoggedVehicle.self)
    #expect(cars.map { $0.tombstone[\.plate] as? String } == ["car"])
    #expect(cars.first?.tombstone[\.wheels] == nil)
    let tombstone = try #require(try deletions(of: LoggedTruck.self).first).tombstone
    #expect(tombstone[\.plate] as? String == "truck")
    #expect(tombstone[\.load] as? Int == 5)
    #expect(tombstone[\.colour] == nil)
    let elements = Array(tombstone)
    #expect(elements.count == 2)
    #expect(elements.first as? String == "truck")
    #expect(elements.last as? Int == 5)
  }

  @Test("Rows of a class and its subclasses that are deleted together have their own values")
  func inheritanceByPredicate() throws {
    for number in 0..<10 {
      context.insert(
        number % 2 == 0 ? LoggedVehicle(plate: "\(number)") : LoggedTruck(plate: "\(number)", load: number))
    }
    try context.save()
    let other = container.freshContext()
    try other.delete(model: LoggedVehicle.self)
    try other.save()
    #expect(
      try deletions(of: LoggedVehicle.self).map { $0.tombstone[\.plate] as? String } == ["0", "2", "4", "6", "8"])
    #expect(try deletions(of: LoggedTruck.self).map { $0.tombstone[\.plate] as? String } == ["1", "3", "5", "7", "9"])
    #expect(try deletions(of: LoggedTruck.self).map { $0.tombstone[\.load] as? Int } == [1, 3, 5, 7, 9])
  }

  @Test("A model without such attributes leaves an empty tombstone")
  func empty() throws {
    let (guide, stage) = (LoggedGuide("a"), LoggedStage("b"))
    context.insert(guide)
    context.insert(stage)
    try context.save()
    context.delete(guide)
    context.delete(stage)
    try context.save()
    let found = try deletions(of: LoggedGuide.self)
    #expect(found.count == 1)
    #expect(found.first.map { Array($0.tombstone).isEmpty } == true)
    #expect(found.first?.tombstone[\.name] == nil)
    #expect(try deletions(of: LoggedStage.self).count == 1)
  }

  @Test("A store in memory preserves values too")
  func inMemory() throws {
    let container = try makeContainer(LoggedSpecimen.self, LoggedCollector.self)
    let context = ModelContext(container)
    let inserted = LoggedSpecimen(3)
    context.insert(inserted)
    inserted.fill(3)
    inserted.fillOptionals(3)
    try context.save()
    context.delete(inserted)
    try context.save()
    try expect(try deletions(of: LoggedSpecimen.self, in: container).first, specimen(3, optionals: true))
  }
}
