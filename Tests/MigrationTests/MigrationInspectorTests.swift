import Foundation
import Support
import SwiftDataTesting
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("MigrationInspector, frozen schemas and stages with code")
struct MigrationInspectorTests {
  private let store: TrailStore
  private let last = Schema(versionedSchema: TrailV4.self)

  init() throws {
    store = try TrailStore()
    try store.writeFirst()
  }

  private var inspector: MigrationInspector {
    MigrationInspector(for: last, migrationPlan: TrailPlan.self, configurations: store.configuration)
  }

  @Test("An inspector takes a schema or models, with configurations as a list or an array")
  func initializers() throws {
    let inspectors = [
      inspector,
      MigrationInspector(for: last, migrationPlan: TrailPlan.self, configurations: [store.configuration]),
      MigrationInspector(
        for: TrailV4.Hike.self, TrailV4.Walker.self, migrationPlan: TrailPlan.self, configurations: store.configuration),
    ]
    for inspector in inspectors {
      #expect(try inspector.preview().steps.map(\.kind) == [.custom, .lightweight, .custom])
    }
    let unplanned = [
      MigrationInspector(for: Schema(versionedSchema: TrailV1.self), configurations: store.configuration),
      MigrationInspector(for: Schema(versionedSchema: TrailV1.self), configurations: [store.configuration]),
      MigrationInspector(for: TrailV1.Hike.self, configurations: store.configuration),
    ]
    for inspector in unplanned { #expect(try inspector.drift() == []) }
  }

  @Test("A preview and a rehearsal of an up-to-date store have no steps")
  func upToDate() throws {
    try store.open(TrailV4.self).close()
    let unplanned = MigrationInspector(for: last, configurations: store.configuration)
    for inspector in [inspector, unplanned] {
      #expect(try inspector.preview().steps.isEmpty)
      #expect(try inspector.rehearse().isEmpty)
    }
  }

  @Test("A preview lists the steps with their SQL, and changes nothing")
  func preview() throws {
    let before = try StoreFiles.contents(of: store.folder.url)
    let preview = try inspector.preview()
    #expect(preview.steps.map(\.kind) == [.custom, .lightweight, .custom])
    #expect(preview.steps.map(\.fromVersion) == ["TrailV1 (1.0.0)", "TrailV2 (2.0.0)", "TrailV3 (3.0.0)"])
    #expect(preview.steps.last?.toVersion == "TrailV4 (4.0.0)")
    #expect(preview.issues == [])
    #expect(preview.copiedByteCount > 4096)
    let first = try #require(preview.steps[0].changes["test"]?.first)
    #expect(first.summary == "adds Hike.isLong")
    #expect(first.rowCount == 0)
    #expect(first.sql.count == 1 && first.sql[0].hasPrefix("ALTER TABLE"))
    #expect(preview.steps[1].changes["test"]?.map(\.summary) == ["renames Hike.title to name"])
    #expect(preview.description.contains("lightweight: from TrailV2 (2.0.0) to TrailV3 (3.0.0)"))
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
  }

  @Test("A preview lists what prevents the migration, with the values that violate a new constraint")
  func obstacles() throws {
    let copy = try MigratingStore()
    do {
      let context = try copy.open([First.Item.self]).freshContext()
      for title in ["a", "b", "a"] { context.insert(First.Item(title: title)) }
      try context.save()
    }
    let unique = try MigrationInspector(
      for: Schema([UniqueTitle.Item.self]), configurations: ModelConfiguration(url: copy.url)
    ).preview()
    #expect(unique.issues.count == 1)
    #expect(unique.issues.first?.property == "title")
    #expect(unique.issues.first?.message.contains(#""a" (2 models)"#) == true)
    let required = try MigrationInspector(
      for: Schema([RequiredExtra.Item.self]), configurations: ModelConfiguration(url: copy.url)
    ).preview()
    #expect(required.issues.first?.message.contains("default value") == true)
    let nothing = try MigrationInspector(
      for: Schema([First.Item.self]), configurations: ModelConfiguration(url: copy.url)
    ).preview()
    #expect(nothing.steps.isEmpty)
    #expect(nothing.description == "No migration is needed.")
  }

  @Test("A rehearsal runs all code on a copy, and leaves the store unchanged")
  func rehearsal() throws {
    let before = try StoreFiles.contents(of: store.folder.url)
    let steps = try inspector.rehearse()
    #expect(steps.map(\.kind) == [.custom, .lightweight, .custom])
    #expect(steps.allSatisfy { $0.duration.map { $0 > .zero } == true })
    let preview = try inspector.preview()
    #expect(preview.steps.allSatisfy { $0.duration == nil })
    #expect(
      steps.map { $0.changes["test"]?.map(\.summary) } == preview.steps.map { $0.changes["test"]?.map(\.summary) })
    #expect(steps[1].description.hasPrefix("lightweight: from TrailV2 (2.0.0) to TrailV3 (3.0.0) in "))
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
    let failing = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV4.self, willMigrate: { _ in throw CocoaError(.coderInvalidValue) },
      didMigrate: nil)
    TrailPlan.$chosenStages.withValue([failing]) {
      let error = #expect(throws: SwiftDataError.self) { try inspector.rehearse() }
      #expect(error?.details?.underlyingError is CocoaError)
    }
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
    try store.expectFirst()
  }

  @Test("A rehearsal's files stay beside its copy, and the store can be opened, changed and cleaned meanwhile")
  func filesOfRehearsals() throws {
    let before = try store.files()
    let other = Data(repeating: 7, count: 300_000)
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      willMigrate: { [store] context in
        for hike in try context.fetch(FetchDescriptor<TrailV1.Hike>()) where hike.track == nil { hike.track = other }
        try context.save()
        #expect(try store.files() == before)
        #expect(try store.leftovers() == [])
        // Opening a store for writing removes the files that no row names.
        let container = try store.open(TrailV1.self, plan: false)
        let writer = container.freshContext()
        for hike in try writer.fetch(FetchDescriptor<TrailV1.Hike>()) where hike.track != nil { writer.delete(hike) }
        try writer.save()
        try container.close()
      },
      didMigrate: { context in
        let hikes = try context.fetch(FetchDescriptor<TrailV2.Hike>(sortBy: [SortDescriptor(\.title)]))
        #expect(hikes.map(\.title) == ["Ben", "Loch"])
        #expect(hikes.map { $0.track == TrailStore.track } == [true, false])
        #expect(hikes.map { $0.track == other } == [false, true])
      })
    try TrailPlan.$chosenStages.withValue([stage]) {
      let steps = try MigrationInspector(
        for: Schema(versionedSchema: TrailV2.self), migrationPlan: TrailPlan.self, configurations: store.configuration
      ).rehearse()
      #expect(steps.map(\.kind) == [.custom])
    }
    let context = try store.open(TrailV1.self, plan: false).freshContext()
    #expect(try context.fetch(FetchDescriptor<TrailV1.Hike>()).map(\.title) == ["Loch"])
    // No snapshot names the file of the other hike any more.
    #expect(try store.files() == [])
  }

  @Test("A read-only store can be previewed and rehearsed")
  func onlyRead() throws {
    let readOnly = ModelConfiguration(url: store.url, allowsSave: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.url.path)
    let before = try StoreFiles.contents(of: store.folder.url)
    func preview(_ configuration: ModelConfiguration) throws -> MigrationPreview {
      try MigrationInspector(for: last, migrationPlan: TrailPlan.self, configurations: configuration).preview()
    }
    let previews = try [readOnly, store.configuration].map(preview)
    #expect(previews[0].copiedByteCount > 4096)
    #expect(previews[0].description == previews[1].description)
    let steps = try MigrationInspector(
      for: last, migrationPlan: TrailPlan.self, configurations: readOnly
    ).rehearse()
    #expect(steps.map(\.kind) == [.custom, .lightweight, .custom])
    // Only changes of tables, without a plan.
    let direct = try MigrationInspector(
      for: Schema(versionedSchema: TrailV2.self), configurations: readOnly
    ).rehearse()
    #expect(direct.map(\.kind) == [.inferred])
    #expect(direct.first?.fromVersion == "the recorded schema")
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
    // Opening it is refused.
    try expectRefusal(in: store.folder) {
      try ModelContainer(for: last, migrationPlan: TrailPlan.self, configurations: readOnly)
    }
  }

  /// Root may write everywhere, so the child drops that privilege first.
  @Test("A rehearsal of a store in a folder without write permission uses the temporary folder")
  func folderWithoutPermission() async throws {
    let path = store.folder.url.path
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.url.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
    let before = try StoreFiles.contents(of: store.folder.url)
    await #expect(processExitsWith: .success) { [path = path as String] in
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      let steps = try MigrationInspector(
        for: Schema(versionedSchema: TrailV4.self), migrationPlan: TrailPlan.self,
        configurations: ModelConfiguration(url: URL(fileURLWithPath: path).appendingPathComponent("test.store"))
      ).rehearse()
      #expect(steps.count == 3)
    }
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
  }

  @Test("`drift()` lists differences between the file, its metadata and a schema")
  func drift() throws {
    func findings(_ version: any VersionedSchema.Type) throws -> [String] {
      try MigrationInspector(for: Schema(versionedSchema: version), configurations: store.configuration).drift()
        .map(\.description)
    }
    #expect(try findings(TrailV1.self) == [])
    #expect(try findings(TrailV2.self) == ["Hike.isLong: The store lacks it; it is Bool in the version."])
    try StoreFiles.execute(
      "ALTER TABLE Hike ADD COLUMN mark TEXT; ALTER TABLE Walker RENAME COLUMN name TO nickname", at: store.url)
    #expect(
      try findings(TrailV1.self) == [
        "Hike.mark: The store has a column that is not recorded.", "Walker.name: The store has no such column.",
        "Walker.nickname: The store has a column that is not recorded.",
      ])
  }

  // MARK: Frozen schemas

  @Test("A changed model fails the check of its frozen version, with a list of the changes")
  func frozen() throws {
    let file = store.folder.file("V1.json")
    try TrailV1.freeze(to: file)
    try TrailV1.checkFrozen(at: file)
    try TrailV1Again.checkFrozen(at: file)
    let error = #expect(throws: SwiftDataError.self) { try TrailV2.checkFrozen(at: file) }
    #expect(error == .unknownSchema)
    #expect(
      error?.details?.issues.map(\.description) == ["Hike.isLong: The store lacks it; it is Bool in the version."])
    for damage in ["", "{", "[]", #"{"format": 1}"#] {
      try Data(damage.utf8).write(to: file)
      #expect(throws: SwiftDataError.unknownSchema) { try TrailV1.checkFrozen(at: file) }
    }
    #expect(throws: SwiftDataError.unknownSchema) { try TrailV1.checkFrozen(at: store.folder.file("none.json")) }
  }

  @Test("A store made from a frozen schema has that version, and a plan can migrate it")
  func frozenStore() throws {
    let file = store.folder.file("V1.json")
    try TrailV1.freeze(to: file)
    let other = try TrailStore()
    try ModelContainer.makeStore(ofFrozenSchema: file, at: other.url)
    #expect(throws: SwiftDataError.self) { try ModelContainer.makeStore(ofFrozenSchema: file, at: other.url) }
    let container = try other.open(TrailV1.self, plan: false)
    let context = container.freshContext()
    let hike = TrailV1.Hike(title: "a", length: 11)
    context.insert(hike)
    hike.walkers = [TrailV1.Walker(name: "Ada Lovelace")]
    try context.save()
    try container.close()
    #expect(
      try MigrationInspector(for: Schema(versionedSchema: TrailV1.self), configurations: other.configuration).drift()
        .isEmpty)
    _ = try other.open(TrailV4.self)
    #expect(try other.lastHikes() == ["a 11 true false Ada/Lovelace"])
  }

  // MARK: Further stages

  private func open(_ stage: MigrationStage, _ version: any VersionedSchema.Type) throws -> ModelContext {
    try TrailPlan.$chosenStages.withValue([stage]) { try store.open(version).freshContext() }
  }

  @Test("A stage can access the models of both versions, and map each to its successor")
  func bothVersions() throws {
    let both = MigrationStage.useBothVersions(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      migrate: { old, new in
        for hike in try old.fetch(FetchDescriptor<TrailV1.Hike>()) {
          let successor = new.model(for: hike.persistentModelID) as? TrailV2.Hike
          successor?.title = "\(hike.title) of \(hike.walkers.map(\.name).joined(separator: "+"))"
          hike.title = "not saved"
        }
        try new.save()
        #expect(throws: SwiftDataError.self) { try old.save() }
      })
    let titles = try open(both, TrailV2.self).fetch(FetchDescriptor<TrailV2.Hike>(sortBy: [SortDescriptor(\.title)]))
      .map(\.title)
    #expect(titles == ["Ben of Ada Lovelace+Grace", "Loch of Grace+Ada Lovelace"])
  }

  @Test("A mapping visits all models in batches", arguments: [1, 7, 1000])
  func mapping(batchSize: Int) throws {
    do {
      let container = try store.open(TrailV1.self, plan: false)
      let context = container.freshContext()
      for number in 0..<50 { context.insert(TrailV1.Hike(title: "\(number)", length: number)) }
      try context.save()
      try container.close()
    }
    let progress = Progress(totalUnitCount: 1)
    progress.becomeCurrent(withPendingUnitCount: 1)
    let stage = MigrationStage.mapModels(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, of: TrailV1.Hike.self, to: TrailV2.Hike.self,
      batchSize: batchSize
    ) { old, new in
      new.title = "<\(old.title)>"
      new.isLong = old.length > 10
    }
    let context = try open(stage, TrailV2.self)
    progress.resignCurrent()
    #expect(progress.completedUnitCount == 1)
    let hikes = try context.fetch(FetchDescriptor<TrailV2.Hike>())
    #expect(hikes.count == 52)
    #expect(hikes.allSatisfy { $0.title.hasPrefix("<") && $0.isLong == ($0.length > 10) })
  }

  @Test("A mapping with a batch size below 1 fails, and leaves the store unchanged", arguments: [0, -1])
  func invalidBatchSize(batchSize: Int) throws {
    let stage = MigrationStage.mapModels(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, of: TrailV1.Hike.self, to: TrailV2.Hike.self,
      batchSize: batchSize
    ) { _, new in new.title = "mapped" }
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try open(stage, TrailV2.self) }
    let cause = error?.details?.underlyingError as? SwiftDataError
    #expect(cause == .invalidFetchDescriptor)
    #expect(cause?.details?.message == "batchSize must be at least 1 (was \(batchSize)).")
    try store.expectFirst()
  }

  @Test("A mapping skips models that its closure has deleted, with any batch size", arguments: [1, 1000])
  func mappingWithDeletions(batchSize: Int) throws {
    let calls = Mutex(0)
    let stage = MigrationStage.mapModels(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, of: TrailV1.Hike.self, to: TrailV2.Hike.self,
      batchSize: batchSize
    ) { _, new in
      calls.withLock { $0 += 1 }
      let others = try new.modelContext?.fetch(FetchDescriptor<TrailV2.Hike>()) ?? []
      for other in others where other !== new { new.modelContext?.delete(other) }
    }
    let hikes = try open(stage, TrailV2.self).fetch(FetchDescriptor<TrailV2.Hike>())
    #expect(hikes.count == 1)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("A stage of SQL runs all of its statements or none")
  func sql() throws {
    let broken = MigrationStage.executeSQL(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      statements: [#"UPDATE "Hike" SET length = 1"#, "UPDATE Nothing SET length = 1"])
    #expect(throws: SwiftDataError.self) { try open(broken, TrailV2.self) }
    try store.expectFirst()
    let stage = MigrationStage.executeSQL(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, statements: [#"UPDATE "Hike" SET "isLong" = length > 10"#])
    let hikes = try open(stage, TrailV2.self).fetch(FetchDescriptor<TrailV2.Hike>(sortBy: [SortDescriptor(\.length)]))
    #expect(hikes.map(\.isLong) == [false, true])
    let misnamed = MigrationStage.executeSQL(
      fromVersion: TrailV2.self, toVersion: TrailV3.self, configuration: "other", statements: [])
    #expect(throws: SwiftDataError.self) { try open(misnamed, TrailV3.self) }
  }
}
