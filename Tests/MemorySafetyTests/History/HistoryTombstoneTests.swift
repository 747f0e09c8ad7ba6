import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Preserves attributes of every type, except one.
@Model
final class LoggedSample {
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

  /// Gives all properties values that differ for each step.
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
  @Relationship(deleteRule: .cascade, inverse: \LoggedSample.owner) var samples: [LoggedSample] = []

  init(_ name: String) {
    self.name = name
  }
}

@Suite("Values of deleted models in the history")
struct HistoryTombstoneTests {
  /// An attribute's value in a model, in a tombstone, and as an element of a tombstone.
  private struct Field {
    let name: String
    let value: (LoggedSample) -> Any?
    let stored: (HistoryTombstone<LoggedSample>) -> Any?
    let isEqual: (Any?, Any?) -> Bool
  }

  private static func field<Value: Equatable>(_ name: String, _ keyPath: KeyPath<LoggedSample, Value>) -> Field {
    Field(
      name: name, value: { $0[keyPath: keyPath] }, stored: { $0[keyPath].map { $0 as Any } },
      isEqual: { ($0 as? Value) == ($1 as? Value) && $0 is Value && $1 is Value })
  }

  private static func field<Value: Equatable>(_ name: String, _ keyPath: KeyPath<LoggedSample, Value?>) -> Field {
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
      for: Schema([LoggedSample.self, LoggedCollector.self] + LoggedStore.models),
      configurations: ModelConfiguration(url: folder.file()))
  }

  private func insert(_ numbers: Range<Int>, optionals: Bool) throws -> [LoggedSample] {
    let samples = numbers.map { number in
      let sample = LoggedSample(number)
      context.insert(sample)
      sample.fill(number)
      if optionals { sample.fillOptionals(number) }
      return sample
    }
    try context.save()
    return samples
  }

  private func deletions<Model: PersistentModel>(
    of type: Model.Type, in container: ModelContainer? = nil
  ) throws -> [DefaultHistoryDelete<Model>] {
    try (container ?? self.container).logged().flatMap(\.changes).compactMap { change in
      if case .delete(let deletion as DefaultHistoryDelete<Model>) = change { deletion } else { nil }
    }
  }

  /// Expects that a tombstone has a model's values, by key path and by iteration.
  private func expect(
    _ deletion: DefaultHistoryDelete<LoggedSample>?, _ sample: LoggedSample,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let tombstone = try #require(deletion, sourceLocation: sourceLocation).tombstone
    var elements = Array(tombstone)
    for field in Self.fields {
      let expected = field.value(sample)
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

  /// A model that was never inserted, with the values of an inserted one.
  private func sample(_ number: Int, optionals: Bool) -> LoggedSample {
    let sample = LoggedSample(number)
    sample.fill(number)
    if optionals { sample.fillOptionals(number) }
    return sample
  }

  // MARK: Values

  @Test("A tombstone preserves attributes of every type, and omits nil values", arguments: [false, true])
  func everyType(optionals: Bool) throws {
    for sample in try insert(0..<3, optionals: optionals) { context.delete(sample) }
    try context.save()
    let found = try deletions(of: LoggedSample.self)
    #expect(found.count == 3)
    for (number, deletion) in found.enumerated() { try expect(deletion, sample(number, optionals: optionals)) }
    #expect(found.map { Array($0.tombstone).count } == Array(repeating: optionals ? 36 : 22, count: found.count))
  }

  @Test("A tombstone preserves default values")
  func defaults() throws {
    let inserted = LoggedSample(7)
    context.insert(inserted)
    try context.save()
    context.delete(inserted)
    try context.save()
    try expect(try deletions(of: LoggedSample.self).first, LoggedSample(7))
  }

  @Test("A tombstone's values can be cast to the attributes' types")
  func types() throws {
    let inserted = try insert(1..<2, optionals: true)[0]
    context.delete(inserted)
    try context.save()
    let tombstone = try #require(try deletions(of: LoggedSample.self).first).tombstone
    #expect(tombstone[\.number] as? Int == 1)
    #expect(tombstone[\.number] as? String == nil)
    #expect(tombstone[\.anyText] as? String == "")
    #expect(tombstone[\.anyPaint] as? Paint == .red)
    #expect(tombstone[\.place] as? Place == Place(street: "s1", zip: 1))
    #expect(tombstone[\.table] as? [String: Int] == ["a": 1, "b": 1])
    var names: [String] = []
    for case let text as String in tombstone { names.append(text) }
    #expect(names == [self.sample(1, optionals: true).text, ""])
  }

  @Test("A tombstone preserves a large external value, whose file is removed with the row", arguments: [200_000, 3])
  func externalStorage(size: Int) throws {
    let inserted = LoggedSample(1)
    context.insert(inserted)
    let image = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
    inserted.image = image
    try context.save()
    context.delete(inserted)
    try context.save()
    #expect(try deletions(of: LoggedSample.self).first?.tombstone[\.image] as? Data == image)
    let other = try Self.open(folder)
    #expect(try deletions(of: LoggedSample.self, in: other).first?.tombstone[\.image] as? Data == image)
  }

  @Test("A row whose external file is missing can be deleted, and its tombstone omits that value")
  func missingFile() throws {
    let inserted = LoggedSample(1)
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
    try other.delete(model: LoggedSample.self)
    try other.save()
    let tombstone = try #require(try deletions(of: LoggedSample.self).first).tombstone
    #expect(tombstone[\.text] as? String == "kept")
    #expect(tombstone[\.image] == nil)
  }

  // MARK: Ways to delete

  private enum Way: String, CaseIterable {
    case fetched, partlyFetched, unread, byPredicate, all, cascade, cascadeByPredicate, changedElsewhere
  }

  @Test("A tombstone has the stored values, whichever call deletes the row", arguments: Way.allCases)
  private func ways(way: Way) throws {
    let collector = LoggedCollector("c")
    context.insert(collector)
    let inserted = try insert(0..<4, optionals: true)
    for sample in inserted { sample.owner = collector }
    try context.save()
    let identifiers = inserted.map(\.persistentModelID)
    let other = container.freshContext()
    switch way {
    case .fetched:
      for sample in try other.fetch(FetchDescriptor<LoggedSample>()) { other.delete(sample) }
    case .partlyFetched:
      var descriptor = FetchDescriptor<LoggedSample>()
      descriptor.propertiesToFetch = [\.plain]
      for sample in try other.fetch(descriptor) { other.delete(sample) }
    case .unread:
      for identifier in identifiers {
        other.delete(try #require(other.model(for: identifier) as? LoggedSample))
      }
    case .byPredicate:
      try other.delete(model: LoggedSample.self, where: #Predicate { $0.number >= 0 })
    case .all:
      try other.delete(model: LoggedSample.self)
    case .cascade:
      other.delete(try other.only(LoggedCollector.self))
    case .cascadeByPredicate:
      try other.delete(model: LoggedCollector.self, where: #Predicate { $0.name == "c" })
    case .changedElsewhere:
      // Another container changes the rows, and this context is not notified.
      let models = try other.fetch(FetchDescriptor<LoggedSample>())
      for sample in models { _ = sample.text }
      let elsewhere = ModelContext(try Self.open(folder))
      for sample in try elsewhere.fetch(FetchDescriptor<LoggedSample>()) {
        sample.text = "changed \(sample.number)"
      }
      try elsewhere.save()
      for sample in models { other.delete(sample) }
    }
    try other.save()
    let found = try deletions(of: LoggedSample.self)
    #expect(found.map(\.changedPersistentIdentifier) == identifiers)
    for (number, deletion) in found.enumerated() {
      let expected = self.sample(number, optionals: true)
      if way == .changedElsewhere { expected.text = "changed \(number)" }
      try expect(deletion, expected)
    }
    let collectors = try deletions(of: LoggedCollector.self).map { $0.tombstone[\.name] as? String }
    #expect(collectors == (way == .cascade || way == .cascadeByPredicate ? ["c"] : []))
  }

  @Test("Unsaved changes before a deletion do not appear in the tombstone", arguments: [false, true])
  func unsavedEdit(byPredicate: Bool) throws {
    for sample in try insert(0..<3, optionals: true) {
      sample.fill(100)
      sample.anyText = nil
      sample.number = -sample.number
      sample.image = nil
      if !byPredicate { context.delete(sample) }
    }
    if byPredicate { try context.delete(model: LoggedSample.self) }
    try context.save()
    let found = try deletions(of: LoggedSample.self)
    #expect(found.count == 3)
    for (number, deletion) in found.enumerated() { try expect(deletion, sample(number, optionals: true)) }
  }

  @Test("Saved changes before a deletion appear in the tombstone")
  func savedEdit() throws {
    let inserted = try insert(0..<1, optionals: true)[0]
    inserted.fill(5)
    inserted.anyDate = nil
    try context.save()
    try context.update(LoggedSample.self) { $0.set(\.anyNumber, to: 99) }
    context.delete(inserted)
    try context.save()
    let expected = sample(0, optionals: true)
    expected.fill(5)
    (expected.anyDate, expected.anyNumber) = (nil, 99)
    try expect(try deletions(of: LoggedSample.self).first, expected)
  }

  @Test(
    "Each of many deleted rows has a tombstone with its own values, in any order of deletion", arguments: [false, true])
  func manyRows(byPredicate: Bool) throws {
    let samples = (0..<400).map { number in
      let sample = LoggedSample(number)
      context.insert(sample)
      sample.text = "text \(number)"
      sample.anyNumber = number % 3 == 0 ? nil : number
      return sample
    }
    try context.save()
    var dice = SeededGenerator(seed: 5)
    let doomed = Set(samples.shuffled(using: &dice).prefix(150).map(\.number))
    let numbers = Dictionary(uniqueKeysWithValues: samples.map { ($0.persistentModelID, $0.number) })
    let other = container.freshContext()
    if byPredicate {
      let list = Array(doomed)
      try other.delete(model: LoggedSample.self, where: #Predicate { list.contains($0.number) })
    } else {
      for sample in try other.fetch(FetchDescriptor<LoggedSample>()).shuffled(using: &dice)
      where doomed.contains(sample.number) {
        other.delete(sample)
      }
    }
    try other.save()
    let found = try deletions(of: LoggedSample.self)
    #expect(Set(found.compactMap { numbers[$0.changedPersistentIdentifier] }) == doomed)
    for deletion in found {
      let number = try #require(numbers[deletion.changedPersistentIdentifier])
      #expect(deletion.tombstone[\.number] as? Int == number)
      #expect(deletion.tombstone[\.text] as? String == "text \(number)")
      #expect(deletion.tombstone[\.anyNumber] as? Int == (number % 3 == 0 ? nil : number))
    }
  }

  // MARK: Classes

  @Test("A tombstone preserves inherited attributes before the class's own")
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

  @Test("Rows of a class and its subclasses that are deleted together have separate tombstones")
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

  @Test("A model without preserved attributes leaves an empty tombstone")
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
    let container = try makeContainer(LoggedSample.self, LoggedCollector.self)
    let context = ModelContext(container)
    let inserted = LoggedSample(3)
    context.insert(inserted)
    inserted.fill(3)
    inserted.fillOptionals(3)
    try context.save()
    context.delete(inserted)
    try context.save()
    try expect(try deletions(of: LoggedSample.self, in: container).first, sample(3, optionals: true))
  }
}
