import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum TallyV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tally.self] }

  @Model
  final class Tally {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }
}

/// The number becomes a text, which rewrites all rows and rebuilds the table.
enum TallyV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Tally.self] }

  @Model
  final class Tally {
    var number: String

    init(_ number: String) {
      self.number = number
    }
  }
}

/// Adds a property, which takes no time.
enum TallyV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Tally.self] }

  @Model
  final class Tally {
    var number: String
    var isOdd = false

    init(_ number: String) {
      self.number = number
    }
  }
}

enum TallyPlan: SchemaMigrationPlan {
  @TaskLocal static var stages: [MigrationStage] = [
    .lightweight(fromVersion: TallyV1.self, toVersion: TallyV2.self),
    .lightweight(fromVersion: TallyV2.self, toVersion: TallyV3.self),
  ]
  static var schemas: [any VersionedSchema.Type] { [] }
}

@Suite("Progress of changes to tables")
struct MigrationProgressTests {
  private let folder: TemporaryFolder
  private let count = 2500

  init() throws {
    folder = try TemporaryFolder()
    try write(folder.file())
  }

  private func write(_ url: URL) throws {
    let container = try ModelContainer(
      for: Schema(versionedSchema: TallyV1.self), configurations: ModelConfiguration(url: url))
    let context = container.freshContext()
    for number in 0..<count { context.insert(TallyV1.Tally(number)) }
    try context.save()
    try container.close()
  }

  private func open(_ version: any VersionedSchema.Type, hasPlan: Bool = false) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: hasPlan ? TallyPlan.self : nil,
      configurations: ModelConfiguration(url: folder.file()))
  }

  /// Runs `body`, which opens a container, and calls `see` with each statement.
  private func seeing(
    _ see: @escaping @Sendable (String) -> Void, _ body: () throws -> ModelContainer
  ) rethrows -> ModelContainer {
    try StatementObservation.$observer.withValue(see, operation: body)
  }

  /// The distinct fractions that were completed at each statement.
  private func fractions(_ body: () throws -> ModelContainer) throws -> [Double] {
    let progress = Progress(totalUnitCount: 7)
    let seen = Mutex<[Double]>([])
    progress.becomeCurrent(withPendingUnitCount: 7)
    _ = try seeing({ _ in seen.withLock { $0.append(progress.fractionCompleted) } }, body)
    progress.resignCurrent()
    #expect(progress.completedUnitCount == 7)
    #expect(progress.isFinished)
    return seen.withLock { all in all.reduce(into: []) { if $0.last != $1 { $0.append($1) } } }
  }

  private func expectFirst() throws {
    let tallies = try open(TallyV1.self).freshContext().all(TallyV1.Tally.self, by: \.number)
    #expect(tallies.map(\.number) == Array(0..<count))
  }

  // MARK: Rows

  @Test("Without a plan each step counts, and each row that it reads or writes")
  func rows() throws {
    let fractions = try fractions { try open(TallyV2.self) }
    // The column is renamed, another one is added, the values are converted in three pages, and the table is rebuilt.
    let total = Double(1 + 1 + (1 + count) + (1 + count))
    let units = fractions.map { Int(($0 * total).rounded()) }
    #expect(units == [0, 1, 2, 1002, 2002, 2502, 2503, 5004])
    #expect(try open(TallyV2.self).freshContext().fetchCount(FetchDescriptor<TallyV2.Tally>()) == count)
  }

  @Test("Stages in place have equal shares, whatever each has to do")
  func stages() throws {
    let fractions = try fractions { try open(TallyV3.self, hasPlan: true) }
    #expect(fractions == fractions.sorted())
    #expect(fractions.contains { abs($0 - 0.5) < 1e-9 })
    #expect(fractions.count { $0 > 0 && $0 < 0.5 } >= 5)
    let tallies = try open(TallyV3.self).freshContext().fetch(FetchDescriptor<TallyV3.Tally>())
    #expect(Set(tallies.map(\.number)) == Set((0..<count).map(String.init)))
  }

  @Test("Changes to tables count in stages on copies as well, beside the code")
  func copies() throws {
    let stage = MigrationStage.custom(
      fromVersion: TallyV1.self, toVersion: TallyV2.self, willMigrate: { _ in }, didMigrate: { _ in })
    let fractions = try TallyPlan.$stages.withValue([stage]) {
      try self.fractions { try open(TallyV2.self, hasPlan: true) }
    }
    #expect(fractions == fractions.sorted())
    // The stage is one half, and the change to the tables is the second of its three parts.
    let (first, last) = (1.0 / 6 + 1e-9, 2.0 / 6 - 1e-9)
    #expect(fractions.count { $0 > first && $0 < last } >= 5)
  }

  @Test("A mapping of no models completes its share")
  func mappingOfNothing() throws {
    let configuration = ModelConfiguration(url: folder.file("empty.store"))
    try ModelContainer(for: Schema(versionedSchema: TallyV1.self), configurations: configuration).close()
    let progress = Progress(totalUnitCount: 1)
    let fraction = Mutex(0.0)
    let mapping = MigrationStage.mapModels(
      fromVersion: TallyV1.self, toVersion: TallyV2.self, of: TallyV1.Tally.self, to: TallyV2.Tally.self
    ) { _, _ in }
    let look = MigrationStage.custom(
      fromVersion: TallyV2.self, toVersion: TallyV3.self,
      willMigrate: { _ in fraction.withLock { $0 = progress.fractionCompleted } }, didMigrate: nil)
    progress.becomeCurrent(withPendingUnitCount: 1)
    defer { progress.resignCurrent() }
    _ = try TallyPlan.$stages.withValue([mapping, look]) {
      try ModelContainer(
        for: Schema(versionedSchema: TallyV3.self), migrationPlan: TallyPlan.self, configurations: configuration)
    }
    // Two stages, and copying.
    #expect(abs(fraction.withLock { $0 } - 1.0 / 3) < 1e-9)
  }

  @Test("Several stores have equal shares")
  func severalStores() throws {
    try write(folder.file("other.store"))
    let configurations = [
      ModelConfiguration("first", schema: Schema([First.Item.self]), url: folder.file("first.store")),
      ModelConfiguration("other", schema: Schema(TallyV2.models), url: folder.file("other.store")),
    ]
    let fractions = try fractions {
      try ModelContainer(for: Schema(TallyV2.models + [First.Item.self]), configurations: configurations)
    }
    #expect(fractions == fractions.sorted())
    #expect(fractions.count { $0 > 0.5 && $0 < 1 } >= 5)
  }

  @Test("Without an observed progress no rows are counted, and opening an unchanged store completes at once")
  func noCounting() throws {
    let counts = Mutex(0)
    let see: @Sendable (String) -> Void = { sql in
      if sql.lowercased().contains("count(*)") { counts.withLock { $0 += 1 } }
    }
    let other = folder.file("other.store")
    try write(other)
    _ = try seeing(see) { try open(TallyV2.self) }
    let unwatched = counts.withLock { $0 }
    let progress = Progress(totalUnitCount: 1)
    progress.becomeCurrent(withPendingUnitCount: 1)
    _ = try seeing(see) {
      try ModelContainer(
        for: Schema(versionedSchema: TallyV2.self), configurations: ModelConfiguration(url: other))
    }
    progress.resignCurrent()
    #expect(counts.withLock { $0 } > 2 * unwatched)
    #expect(try fractions { try open(TallyV2.self) } == [0])
  }

  // MARK: Cancellation

  /// Runs `body`, which opens the store, and cancels after `number` rows were written.
  ///
  /// - Returns: How many rows were written in the end.
  private func cancel(atRow number: Int, _ body: () throws -> ModelContainer) throws -> Int {
    let before = try StoreFiles.contents(of: folder.url)
    let progress = Progress(totalUnitCount: 1)
    let updates = Mutex(0)
    progress.becomeCurrent(withPendingUnitCount: 1)
    defer { progress.resignCurrent() }
    #expect(throws: CancellationError.self) {
      try seeing(
        { sql in
          guard sql.hasPrefix("UPDATE \"Tally\"") else { return }
          let count = updates.withLock { updates in
            updates += 1
            return updates
          }
          if count == number { progress.cancel() }
        }, body)
    }
    #expect(try StoreFiles.contents(of: folder.url) == before)
    return updates.withLock { $0 }
  }

  @Test("Cancelling a change in place takes effect after the page, and the store is unchanged")
  func cancelledInPlace() throws {
    #expect(try cancel(atRow: 1500) { try open(TallyV2.self) } == 2000)
    #expect(try cancel(atRow: 1) { try open(TallyV3.self, hasPlan: true) } == 1000)
    try expectFirst()
    #expect(try open(TallyV2.self).freshContext().fetchCount(FetchDescriptor<TallyV2.Tally>()) == count)
  }

  @Test("Cancelling a change to tables in a stage on a copy leaves the store unchanged")
  func cancelledInCopy() throws {
    let stage = MigrationStage.custom(
      fromVersion: TallyV1.self, toVersion: TallyV2.self, willMigrate: nil, didMigrate: { _ in })
    try TallyPlan.$stages.withValue([stage]) {
      let row = try cancel(atRow: 10) { try open(TallyV2.self, hasPlan: true) }
      #expect(row == 1000)
    }
    try expectFirst()
  }

  @Test("A progress that is already cancelled prevents the migration")
  func cancelledBefore() throws {
    let before = try StoreFiles.contents(of: folder.url)
    let progress = Progress(totalUnitCount: 1)
    progress.cancel()
    progress.becomeCurrent(withPendingUnitCount: 1)
    #expect(throws: CancellationError.self) { try open(TallyV2.self) }
    progress.resignCurrent()
    #expect(try StoreFiles.contents(of: folder.url) == before)
    // Without a change there is nothing to cancel.
    try expectFirst()
  }

  @Test("A cancelled task changes no tables")
  func cancelledTask() async throws {
    let before = try StoreFiles.contents(of: folder.url)
    let url = folder.file()
    let task = Task {
      withUnsafeCurrentTask { task in task?.cancel() }
      _ = try ModelContainer(
        for: Schema(versionedSchema: TallyV2.self), configurations: ModelConfiguration(url: url))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try StoreFiles.contents(of: folder.url) == before)
    try expectFirst()
  }
}
