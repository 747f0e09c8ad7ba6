import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum Careful {
  @Model
  final class CarefulDesk {
    #Unique<CarefulDesk>([\.row, \.number], [\.badge])
    var row: String
    var number: Int
    var badge: Int?
    var weight: Double
    @Attribute(.externalStorage) var image: Data?
    @Relationship(inverse: \CarefulLabel.desks) var labels: [CarefulLabel] = []
    var name: String

    init(_ name: String, _ row: String, _ number: Int, badge: Int?) {
      self.name = name
      self.row = row
      self.number = number
      self.badge = badge
      weight = 0
    }
  }

  @Model
  final class CarefulLabel {
    var word: String
    var desks: [CarefulDesk] = []

    init(_ word: String) {
      self.word = word
    }
  }

  @Model
  final class CarefulGauge {
    @Attribute(.unique) var level: Double
    @Attribute(.unique) var code: UInt64?
    var name: String

    init(_ name: String, _ level: Double, _ code: UInt64?) {
      self.name = name
      self.level = level
      self.code = code
    }
  }
}

@Suite("Saves that repeat their transaction")
struct RepeatedSaveTests {
  typealias Desk = Careful.CarefulDesk
  typealias Label = Careful.CarefulLabel
  typealias Gauge = Careful.CarefulGauge

  private func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(for: Schema([Desk.self, Label.self]), configurations: ModelConfiguration(url: folder.file()))
  }

  private func files(_ folder: TemporaryFolder) -> [String] {
    let all = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
    return all.filter { UUID(uuidString: ($0 as NSString).lastPathComponent) != nil }
  }

  @Test("Files of the first attempt are removed, and those of the second are kept")
  func externalFiles() throws {
    let folder = try TemporaryFolder()
    do {
      let container = try open(folder)
      let context = ModelContext(container)
      let desks = (0..<3).map { Desk("\($0)", "a", $0, badge: $0) }
      for (index, desk) in desks.enumerated() {
        desk.image = Data(repeating: UInt8(index), count: 1 << 18)
        context.insert(desk)
      }
      try context.save()
      #expect(files(folder).count == 3)
      for (index, desk) in desks.enumerated() {
        desk.badge = (index + 1) % 3
        desk.image = Data(repeating: UInt8(index + 10), count: 1 << 18)
      }
      let new = Desk("3", "a", 3, badge: 3)
      new.image = Data(repeating: 13, count: 1 << 18)
      context.insert(new)
      try context.save()
    }
    #expect(files(folder).count == 4)
    let saved = try open(folder).freshContext().all(Desk.self, by: \.name)
    #expect(saved.map(\.badge) == [1, 2, 0, 3])
    #expect(saved.map { $0.image?.first } == [10, 11, 12, 13])
    #expect(saved.allSatisfy { $0.image?.count == 1 << 18 })
  }

  @Test("No key is assigned twice, even after an attempt that was rolled back")
  func keys() throws {
    let folder = try TemporaryFolder()
    let containers = [try open(folder), try open(folder)]
    var seen: Set<PersistentIdentifier> = []
    for round in 0..<8 {
      let context = ModelContext(containers[round % 2])
      let desks = try context.all(Desk.self, by: \.number)
      // A rotation of badges, which takes a second attempt.
      let badges = desks.map(\.badge)
      for (index, desk) in desks.enumerated() { desk.badge = badges[(index + 1) % badges.count] }
      let new = (0..<2).map { Desk("n", "r", round * 2 + $0, badge: 100 + round * 2 + $0) }
      for desk in new { context.insert(desk) }
      try context.save()
      for desk in new { #expect(seen.insert(desk.persistentModelID).inserted) }
      if round % 3 == 2, let last = new.last {
        context.delete(last)
        try context.save()
      }
    }
    let saved = try open(folder).freshContext().fetch(FetchDescriptor<Desk>())
    #expect(Set(saved.map(\.persistentModelID)).isSubset(of: seen))
    #expect(Set(saved.map(\.badge)).count == saved.count)
  }

  @Test("Rows can rotate the values of two constraints in opposite directions")
  func severalConstraints() throws {
    let container = try makeContainer(Desk.self, Label.self)
    let context = ModelContext(container)
    let desks = (0..<4).map { Desk("\($0)", "a", $0, badge: $0) }
    for desk in desks { context.insert(desk) }
    try context.save()
    for (index, desk) in desks.enumerated() {
      desk.number = (index + 1) % 4
      desk.badge = (index + 3) % 4
    }
    try context.save()
    let saved = try container.freshContext().all(Desk.self, by: \.name)
    #expect(saved.map(\.number) == [1, 2, 3, 0])
    #expect(saved.map(\.badge) == [3, 0, 1, 2])
  }

  @Test("A repeated save writes links, their order and upserts")
  func links() throws {
    let container = try makeContainer(Desk.self, Label.self)
    let context = ModelContext(container)
    let desks = (0..<2).map { Desk("\($0)", "a", $0, badge: $0) }
    let labels = (0..<5).map { Label("\($0)") }
    for desk in desks { context.insert(desk) }
    desks[0].labels = [labels[0], labels[1]]
    desks[1].labels = [labels[2]]
    try context.save()
    (desks[0].badge, desks[1].badge) = (1, 0)
    desks[0].labels = [labels[3], labels[1], labels[4]]
    desks[1].labels.append(labels[0])
    // Has badge 0, which the second desk has by then.
    let upsert = Desk("upsert", "z", 9, badge: 0)
    context.insert(upsert)
    try context.save()
    let saved = try container.freshContext().all(Desk.self, by: \.name)
    #expect(saved.map(\.name) == ["0", "upsert"])
    #expect(saved.map(\.badge) == [1, 0])
    #expect(saved.first?.labels.map(\.word) == ["3", "1", "4"])
    #expect(saved.last?.labels.map(\.word) == ["2", "0"])
    #expect(saved.last?.row == "z")
  }

  @Test("Rows exchange nil, NaN and numbers beyond Int64.max", arguments: [true, false])
  func unusualValues(isForward: Bool) throws {
    let container = try makeContainer(Gauge.self)
    let context = ModelContext(container)
    let gauges = [Gauge("a", .nan, nil), Gauge("b", 1, .max), Gauge("c", .infinity, 7)]
    for gauge in isForward ? gauges : gauges.reversed() { context.insert(gauge) }
    try context.save()
    (gauges[0].level, gauges[1].level, gauges[2].level) = (1, .infinity, .nan)
    (gauges[0].code, gauges[1].code, gauges[2].code) = (.max, 7, nil)
    try context.save()
    let saved = try container.freshContext().all(Gauge.self, by: \.name)
    #expect(saved[0].level == 1 && saved[1].level == .infinity && saved[2].level.isNaN)
    #expect(saved.map(\.code) == [.max, 7, nil])
  }

  @Test("A second attempt that fails changes neither context nor file, and a later save succeeds")
  func failedSecondAttempt() throws {
    let folder = try TemporaryFolder()
    let container = try open(folder)
    let context = ModelContext(container)
    let desks = (0..<3).map { Desk("\($0)", "a", $0, badge: $0) }
    for desk in desks { context.insert(desk) }
    try context.save()
    (desks[0].badge, desks[1].badge) = (1, 2)
    let label = Label("new")
    desks[0].labels.append(label)
    desks[0].image = Data(count: 1 << 18)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(files(folder) == [])
    #expect(context.hasChanges)
    #expect(label.persistentModelID.storeIdentifier == nil)
    #expect(try container.freshContext().all(Desk.self, by: \.name).map(\.badge) == [0, 1, 2])
    desks[2].badge = 0
    try context.save()
    let saved = try container.freshContext().all(Desk.self, by: \.name)
    #expect(saved.map(\.badge) == [1, 2, 0])
    #expect(saved[0].labels.map(\.word) == ["new"])
    #expect(saved[0].image?.count == 1 << 18)
    #expect(files(folder).count == 1)
  }
}
