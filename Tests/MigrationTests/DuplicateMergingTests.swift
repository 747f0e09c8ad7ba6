import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Merging duplicates before a constraint applies")
struct DuplicateMergingTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func open(_ version: any VersionedSchema.Type, _ stage: MigrationStage? = nil) throws -> ModelContainer {
    try MergingPlan.$stages.withValue(stage.map { [$0] } ?? []) {
      try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: stage == nil ? nil : MergingPlan.self,
        configurations: ModelConfiguration(url: store.url))
    }
  }

  /// Writes tags one by one, each with its index as its count.
  private func write(_ tags: [(name: String, code: String?, notes: [String])]) throws {
    let container = try open(TagsV1.self)
    let context = container.freshContext()
    for (index, tag) in tags.enumerated() {
      let model = TagsV1.Tag(tag.name, code: tag.code, count: index)
      context.insert(model)
      for text in tag.notes {
        let note = TagsV1.Note(text)
        context.insert(note)
        note.tag = model
      }
      try context.save()
    }
    try container.close()
  }

  /// The models that the closure of a stage was called with, by their counts.
  private final class Calls: Sendable {
    private let calls = Mutex<[String]>([])
    func note(_ kept: Int, _ duplicate: Int) { calls.withLock { $0.append("\(kept)<\(duplicate)") } }
    var all: [String] { calls.withLock { $0 } }
  }

  /// Moves the notes of duplicates to the kept tag.
  private static func stage(_ calls: Calls, to version: any VersionedSchema.Type) -> MigrationStage {
    .mergeDuplicates(fromVersion: TagsV1.self, toVersion: version, of: TagsV1.Tag.self) { kept, duplicate in
      calls.note(kept.count, duplicate.count)
      kept.notes += duplicate.notes
    }
  }

  /// The titles of the second version, with their counts and the texts of their notes.
  private func secondTags(_ container: ModelContainer) throws -> [String] {
    try container.freshContext().all(TagsV2.Tag.self, by: \.count).map { tag in
      "\(tag.title) \(tag.count) \(tag.notes.map(\.text).sorted().joined())"
    }
  }

  private struct Failure: Error {}

  @Test("The oldest duplicate is kept, also for a renamed property, with everything the closure moves to it")
  func oneProperty() throws {
    try write([("a", nil, ["1", "2"]), ("b", nil, ["3"]), ("a", nil, ["4"]), ("a", nil, ["5"])])
    let calls = Calls()
    let container = try open(TagsV2.self, Self.stage(calls, to: TagsV2.self))
    #expect(calls.all == ["0<2", "0<3"])
    #expect(try secondTags(container) == ["a 0 1245", "b 1 3"])
    #expect(try container.freshContext().fetchCount(FetchDescriptor<TagsV2.Note>()) == 5)
  }

  @Test("Models that the closure leaves with a duplicate follow its delete rules")
  func leftBehind() throws {
    try write([("a", nil, ["1", "2"]), ("a", nil, ["3"]), ("b", nil, ["4"])])
    let stage = MigrationStage.mergeDuplicates(
      fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV1.Tag.self
    ) { kept, duplicate in kept.count += duplicate.count * 10 }
    let container = try open(TagsV2.self, stage)
    #expect(try secondTags(container) == ["b 2 4", "a 10 12"])
    #expect(try container.freshContext().fetchCount(FetchDescriptor<TagsV2.Note>()) == 3)
  }

  @Test("Without the stage opening throws an error that names the stage as the remedy")
  func remedy() throws {
    try write([("a", nil, []), ("a", nil, [])])
    let error = try expectRefusal(in: store.folder) { try open(TagsV2.self) }
    let issue = try #require(error?.details?.issues.first)
    #expect(issue.entity == "Tag" && issue.property == "title")
    #expect(
      issue.message == """
        Models of the store have the same title, which has to be unique now: "a" (2 models). A stage of a migration \
        plan merges them: .mergeDuplicates(fromVersion: …, toVersion: …, of: Tag.self) { kept, duplicate in … }.
        """)
  }

  @Test("Texts that are equal in Swift are duplicates, whatever their bytes are")
  func forms() throws {
    try write([("\u{e9}", nil, ["1"]), ("e", nil, []), ("e\u{301}", nil, ["2"]), ("\u{212a}", nil, []), ("K", nil, [])])
    let calls = Calls()
    let container = try open(TagsV2.self, Self.stage(calls, to: TagsV2.self))
    #expect(calls.all == ["0<2", "3<4"])
    #expect(try secondTags(container) == ["\u{e9} 0 12", "e 1 ", "K 3 "])
  }

  @Test("A model can be a duplicate by several constraints, and nil values are never duplicates")
  func severalConstraints() throws {
    try write([
      ("a", "x", ["1"]), ("b", "x", ["2"]), ("b", "y", ["3"]), ("c", nil, ["4"]), ("d", nil, []), ("e", "y", []),
    ])
    let calls = Calls()
    let context = try open(TagsV3.self, Self.stage(calls, to: TagsV3.self)).freshContext()
    let tags = try context.all(TagsV3.Tag.self, by: \.count)
    #expect(Set(tags.compactMap(\.code)).count == tags.compactMap(\.code).count)
    #expect(Set(tags.map(\.title)).count == tags.count)
    #expect(tags.map(\.title).filter { $0 == "c" || $0 == "d" } == ["c", "d"])
    #expect(tags.count == 4)
    #expect(calls.all.count == 2 && calls.all.contains("0<1"))
    #expect(try context.fetchCount(FetchDescriptor<TagsV3.Note>()) == 4)
  }

  @Test("Only constraints that the later version adds are merged")
  func formerConstraint() throws {
    try write([("a", "x", []), ("b", "x", []), ("c", nil, [])])
    _ = try open(TagsV2.self)
    let calls = Calls()
    let stage = MigrationStage.mergeDuplicates(
      fromVersion: TagsV2.self, toVersion: TagsV3.self, of: TagsV2.Tag.self
    ) { kept, duplicate in calls.note(kept.count, duplicate.count) }
    let context = try open(TagsV3.self, stage).freshContext()
    #expect(calls.all == ["0<1"])
    #expect(try context.all(TagsV3.Tag.self, by: \.count).map(\.title) == ["a", "c"])
  }

  @Test("Values of a compound constraint are compared together")
  func compound() throws {
    try write([("a", "x", []), ("a", "y", []), ("b", "x", []), ("a", "x", []), ("a", nil, []), ("a", nil, [])])
    let calls = Calls()
    let context = try open(PairedTags.self, Self.stage(calls, to: PairedTags.self)).freshContext()
    #expect(calls.all == ["0<3"])
    #expect(try context.all(PairedTags.Tag.self, by: \.count).map(\.count) == [0, 1, 2, 4, 5])
  }

  @Test("A to-one in a compound constraint is compared like a value")
  func compoundWithModel() throws {
    try write([("a", nil, ["1", "2", "1"]), ("b", nil, ["1", "2", "2", "2"])])
    let calls = Calls()
    let stage = MigrationStage.mergeDuplicates(
      fromVersion: TagsV1.self, toVersion: PairedNotes.self, of: TagsV1.Note.self
    ) { kept, duplicate in
      #expect(kept.text == duplicate.text)
      calls.note(kept.tag?.count ?? -1, duplicate.tag?.count ?? -1)
    }
    let context = try open(PairedNotes.self, stage).freshContext()
    #expect(calls.all == ["0<0", "1<1", "1<1"])
    let tags = try context.all(PairedNotes.Tag.self, by: \.count)
    #expect(tags.map { $0.notes.map(\.text).sorted() } == [["1", "2"], ["1", "2"]])
  }

  @Test("An inherited constraint covers all classes, and a subclass's constraint covers its own models only")
  func inheritance() throws {
    do {
      let container = try open(MediaV1.self)
      let context = container.freshContext()
      context.insert(MediaV1.Tape("a", number: 0, label: "l"))
      try context.save()
      context.insert(MediaV1.Disc("a", number: 1, label: "l"))
      try context.save()
      context.insert(MediaV1.Disc("b", number: 2, label: "l"))
      try context.save()
      context.insert(MediaV1.Medium("b", number: 3))
      try context.save()
      context.insert(MediaV1.Medium("c", number: 4))
      try context.save()
      try container.close()
    }
    let calls = Calls()
    let ofDiscs = MigrationStage.mergeDuplicates(
      fromVersion: MediaV1.self, toVersion: MediaV2.self, of: MediaV1.Disc.self
    ) { kept, duplicate in calls.note(kept.number, duplicate.number) }
    // Codes of discs repeat those of other media.
    let error = try expectRefusal(in: store.folder) { try open(MediaV2.self, ofDiscs) }
    #expect(error?.details?.issues.map(\.property) == ["code"])
    #expect(calls.all == ["1<2"])
    let ofAll = MigrationStage.mergeDuplicates(
      fromVersion: MediaV1.self, toVersion: MediaV2.self, of: MediaV1.Medium.self
    ) { kept, duplicate in calls.note(kept.number, duplicate.number) }
    let context = try open(MediaV2.self, ofAll).freshContext()
    #expect(calls.all == ["1<2", "0<1", "2<3"])
    let media = try context.all(MediaV2.Medium.self, by: \.number)
    #expect(media.map(\.code) == ["a", "b", "c"])
    #expect(media.map { $0 is MediaV2.Disc } == [false, true, false])
  }

  // MARK: Closures

  @Test("Duplicates that a closure makes are merged as well")
  func newDuplicates() throws {
    try write([("1", nil, []), ("2", nil, []), ("1", nil, []), ("3", nil, [])])
    let calls = Calls()
    let stage = MigrationStage.mergeDuplicates(
      fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV1.Tag.self
    ) { kept, duplicate in
      calls.note(kept.count, duplicate.count)
      kept.name = "\((Int(kept.name) ?? 0) + 1)"
    }
    let container = try open(TagsV2.self, stage)
    #expect(calls.all == ["0<2", "0<1", "0<3"])
    #expect(try secondTags(container) == ["4 0 "])
  }

  @Test("A closure that keeps making duplicates is stopped, and the store is unchanged")
  func endless() throws {
    try write([("a", nil, []), ("a", nil, [])])
    let stage = MigrationStage.mergeDuplicates(
      fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV1.Tag.self
    ) { kept, duplicate in kept.modelContext?.insert(TagsV1.Tag(duplicate.name)) }
    let error = try expectRefusal(in: store.folder) { try open(TagsV2.self, stage) }
    let cause = try #require(error?.details?.underlyingError as? SwiftDataError)
    #expect(cause.details?.entity == "Tag")
    #expect(
      cause.details?.message == """
        After 100 rounds of merging, models of Tag still have the same name: "a" (2 models).
        """)
  }

  @Test("When a closure deletes the kept model the next duplicate is kept")
  func deletedKept() throws {
    try write([("a", nil, []), ("a", nil, []), ("a", nil, []), ("b", nil, [])])
    let calls = Calls()
    let stage = MigrationStage.mergeDuplicates(
      fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV1.Tag.self
    ) { kept, duplicate in
      calls.note(kept.count, duplicate.count)
      if kept.count == 0 { kept.modelContext?.delete(kept) }
    }
    let container = try open(TagsV2.self, stage)
    #expect(calls.all == ["0<1", "1<2"])
    #expect(try secondTags(container) == ["a 1 ", "b 3 "])
  }

  @Test(
    "Duplicates of a model that the closure has deleted stay, whether or not it saved the deletion",
    arguments: [false, true])
  func deletedKeptModel(isSaved: Bool) throws {
    try write([("a", nil, []), ("a", nil, []), ("a", nil, []), ("b", nil, [])])
    let calls = Calls()
    let stage = MigrationStage.mergeDuplicates(
      fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV1.Tag.self
    ) { kept, duplicate in
      calls.note(kept.count, duplicate.count)
      guard kept.count == 0, duplicate.count == 2, let context = kept.modelContext else { return }
      context.delete(kept)
      if isSaved { try context.save() }
    }
    let container = try open(TagsV2.self, stage)
    #expect(calls.all == ["0<1", "0<2", "1<2"])
    #expect(try secondTags(container) == ["a 1 ", "b 3 "])
  }

  @Test("A closure that throws leaves the store unchanged")
  func failure() throws {
    try write([("a", nil, ["1"]), ("a", nil, ["2"]), ("b", nil, []), ("b", nil, [])])
    let stage = MigrationStage.mergeDuplicates(
      fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV1.Tag.self
    ) { kept, duplicate in
      kept.notes += duplicate.notes
      if kept.name == "b" { throw Failure() }
    }
    let error = try expectRefusal(in: store.folder) { try open(TagsV2.self, stage) }
    #expect(error?.details?.underlyingError is Failure)
    let tags = try open(TagsV1.self).freshContext().all(TagsV1.Tag.self, by: \.count)
    #expect(tags.map { $0.notes.map(\.text) } == [["1"], ["2"], [], []])
  }

  // MARK: Refusals

  @Test("Merging is refused for a class that the older version lacks, or without a constraint")
  func nothingToMerge() throws {
    try write([("a", nil, [])])
    func cause(_ stage: MigrationStage, _ version: any VersionedSchema.Type) throws -> String? {
      let error = try expectRefusal(in: store.folder) { try open(version, stage) }
      return (error?.details?.underlyingError as? SwiftDataError)?.details?.message
    }
    #expect(
      try cause(
        .mergeDuplicates(fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV2.Tag.self) { _, _ in },
        TagsV2.self) == "TagsV2.Tag is not a model of the older version of the stage.")
    #expect(
      try cause(
        .mergeDuplicates(fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV1.Note.self) { _, _ in },
        TagsV2.self) == "Note has no uniqueness constraint in TagsV2, so no models are duplicates.")
    #expect(
      try cause(
        .mergeDuplicates(fromVersion: TagsV1.self, toVersion: NumberedTags.self, of: TagsV1.Note.self) { _, _ in
        }, NumberedTags.self) == "NumberedTags has no model Note, and so no uniqueness constraint on it.")
    #expect(
      try cause(
        .mergeDuplicates(fromVersion: TagsV1.self, toVersion: NumberedTags.self, of: TagsV1.Tag.self) { _, _ in
        }, NumberedTags.self) == """
          The uniqueness constraint on number of Tag in NumberedTags has a property that the older version lacks, so \
          duplicates cannot be found.
          """)
  }

  // MARK: Batches

  private func writeMany() throws {
    let container = try open(TagsV1.self)
    let context = container.freshContext()
    for number in 0..<2400 { context.insert(TagsV1.Tag(number < 1200 ? "same" : "\(number)", count: 1)) }
    try context.save()
    try container.close()
  }

  private static func counting(_ body: @escaping @Sendable () -> Void = {}) -> MigrationStage {
    .mergeDuplicates(fromVersion: TagsV1.self, toVersion: TagsV2.self, of: TagsV1.Tag.self) { kept, duplicate in
      kept.count += duplicate.count
      body()
    }
  }

  @Test("Duplicates are read in batches, and count in the progress")
  func many() throws {
    try writeMany()
    let progress = Progress(totalUnitCount: 1)
    let fractions = Mutex<Set<Double>>([])
    progress.becomeCurrent(withPendingUnitCount: 1)
    let stage = Self.counting { _ = fractions.withLock { $0.insert(progress.fractionCompleted) } }
    let context = try open(TagsV2.self, stage).freshContext()
    progress.resignCurrent()
    #expect(progress.completedUnitCount == 1)
    // Three batches, with other work before each.
    #expect(fractions.withLock { $0.count } == 3)
    #expect(try context.fetchCount(FetchDescriptor<TagsV2.Tag>()) == 1201)
    let merged = try context.fetch(FetchDescriptor<TagsV2.Tag>(predicate: #Predicate { $0.title == "same" }))
    #expect(merged.map(\.count) == [1200])
  }

  @Test("Cancelling a merge leaves the store unchanged")
  func cancelled() throws {
    try writeMany()
    let before = try StoreFiles.contents(of: store.folder.url)
    let progress = Progress(totalUnitCount: 1)
    let calls = Mutex(0)
    progress.becomeCurrent(withPendingUnitCount: 1)
    defer { progress.resignCurrent() }
    let stage = Self.counting {
      calls.withLock { $0 += 1 }
      progress.cancel()
    }
    #expect(throws: CancellationError.self) { try open(TagsV2.self, stage) }
    #expect(calls.withLock { $0 } == 500)
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
  }
}
