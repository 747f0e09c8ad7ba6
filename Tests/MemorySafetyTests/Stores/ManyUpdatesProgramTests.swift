import Foundation
import Logging
import Testing

@testable import SwiftData
@testable import TestSupport

enum ManyProgram {
  @Model
  class ManyAnimal {
    var number: Int
    @Attribute(.spotlight) var name: String
    @Attribute(.unique) var tag: String?
    var weight: Double
    var born: Date?
    var notes: [String] = []
    var keeper: ManyKeeper?

    init(_ number: Int) {
      self.number = number
      name = "animal \(number)"
      tag = number.isMultiple(of: 3) ? nil : "tag \(number)"
      weight = Double(number)
    }
  }

  @Model
  final class ManyDog: ManyAnimal {
    var trick: String?
    var age = 0

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class ManyKeeper {
    var name: String
    @Relationship(inverse: \ManyAnimal.keeper) var animals: [ManyAnimal] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

@Suite("The same changes in batches and row by row")
struct ManyUpdatesProgramTests {
  typealias Animal = ManyProgram.ManyAnimal
  typealias Dog = ManyProgram.ManyDog
  typealias Keeper = ManyProgram.ManyKeeper

  /// One of two stores that must end up equal.
  private final class Side {
    let context: ModelContext
    private var animals: [Animal] = []
    private var keepers: [Keeper] = []
    /// The number of saves that were not refused.
    private(set) var saveCount = 0

    /// - Parameter isByRow: Whether values are logged, which takes a statement for each row.
    init(_ folder: TemporaryFolder, isByRow: Bool) throws {
      var configuration = ModelConfiguration(url: folder.file(isByRow ? "rows.store" : "batches.store"))
      configuration.statementLogging = .init(includesValues: isByRow)
      let logger = Logger(label: "test") { _ in RecordingHandler(.trace) }
      let container = try StatementObservation.$logger.withValue(logger) {
        try ModelContainer(for: Schema([Animal.self, Dog.self, Keeper.self]), configurations: configuration)
      }
      context = ModelContext(container)
      context.autosaveEnabled = false
    }

    func begin() throws {
      for number in 0..<400 {
        let animal = number % 5 == 0 ? Dog(number) : Animal(number)
        context.insert(animal)
        animals.append(animal)
      }
      for number in 0..<5 {
        let keeper = Keeper("keeper \(number)")
        context.insert(keeper)
        keepers.append(keeper)
      }
      try context.save()
    }

    /// Changes a run of animals, each in one of a few ways, and saves.
    func change(_ generator: inout SeededGenerator) throws {
      let start = Int.random(in: 0..<animals.count, using: &generator)
      var changed = Array(animals[start...].prefix(Int.random(in: 1...250, using: &generator)))
      if Bool.random(using: &generator) { changed.shuffle(using: &generator) }
      let ways = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Int.random(in: 0..<8, using: &generator) }
      let newcomer = Keeper("keeper \(keepers.count)")
      var tags = changed.map(\.tag)
      if Bool.random(using: &generator) { tags.reverse() }
      for (place, animal) in changed.enumerated() where Int.random(in: 0..<10, using: &generator) > 0 || ways == [2] {
        for way in ways { try change(animal, way, tags[place], newcomer, &generator) }
      }
      if let animal = changed.first, Int.random(in: 0..<4, using: &generator) == 0 {
        context.delete(animal)
        animals.removeAll { $0 === animal }
      }
      if newcomer.modelContext != nil { keepers.append(newcomer) }
      do {
        try context.save()
        saveCount += 1
      } catch {
        context.rollback()
      }
    }

    private func change(
      _ animal: Animal, _ way: Int, _ tag: String?, _ newcomer: Keeper, _ generator: inout SeededGenerator
    ) throws {
      let value = Int.random(in: 0..<1000, using: &generator)
      switch way {
      case 0: animal.name = value % 7 == 0 ? "" : "nâme \(value) of \(animal.number)"
      case 1: animal.weight = value % 11 == 0 ? .infinity : Double(value) / 3
      case 2: animal.tag = tag
      case 3: animal.born = value % 2 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(value))
      case 4: animal.notes = (0..<value % 4).map { "note \($0)" }
      case 5: animal.keeper = value % 3 == 0 ? nil : keepers[value % keepers.count]
      case 6: if let dog = animal as? Dog { dog.trick = "trick \(value)" } else { animal.weight = 0 }
      default: animal.keeper = newcomer
      }
    }

    /// Everything that another context reads, and the results of its searches.
    func stored() throws -> [String] {
      let context = ModelContext(context.container)
      var lines = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.number)])).map { animal in
        """
        \(animal.number) \(type(of: animal)) \(animal.name) \(animal.tag ?? "-") \(animal.weight) \
        \(animal.born?.timeIntervalSinceReferenceDate ?? -1) \(animal.notes) \(animal.keeper?.name ?? "-") \
        \((animal as? Dog)?.trick ?? "-")
        """
      }
      for keeper in try context.fetch(FetchDescriptor<Keeper>(sortBy: [SortDescriptor(\.name)])) {
        lines.append("\(keeper.name): \(keeper.animals.map(\.number).sorted())")
      }
      for word in ["name 1", "of 37", "animal 2"] {
        let found = try context.fetch(
          FetchDescriptor<Animal>(predicate: #Predicate { $0.name.localizedStandardContains(word) }))
        let all = try context.fetch(FetchDescriptor<Animal>()).filter { $0.name.localizedStandardContains(word) }
        #expect(Set(found.map(\.number)) == Set(all.map(\.number)))
        lines.append("\(word): \(found.map(\.number).sorted())")
      }
      return lines
    }
  }

  @Test("Both stores are equal after each save", arguments: 1...6)
  func bothAlike(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let (batches, rows) = (try Side(folder, isByRow: false), try Side(folder, isByRow: true))
    try batches.begin()
    try rows.begin()
    var (first, second) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
    for _ in 0..<12 {
      try batches.change(&first)
      try rows.change(&second)
      #expect(try batches.stored() == rows.stored())
    }
    #expect(batches.saveCount == rows.saveCount && rows.saveCount >= 6)
  }
}
