import FaultyDriver
import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Atomicity and files of migrations")
struct MigrationSafetyTests {
  private let store: TrailStore

  init() throws {
    store = try TrailStore()
    try store.writeFirst()
  }

  private func with<Result>(_ stages: [MigrationStage], _ body: () throws -> Result) rethrows -> Result {
    try TrailPlan.$chosenStages.withValue(stages, operation: body)
  }

  private static func stage(
    _ willMigrate: MigrationStage.Code? = nil, _ didMigrate: MigrationStage.Code? = nil
  ) -> MigrationStage {
    .custom(fromVersion: TrailV1.self, toVersion: TrailV2.self, willMigrate: willMigrate, didMigrate: didMigrate)
  }

  @Test("A failure of any database call leaves the store old or new")
  func failuresAtEachCall() throws {
    let template = try TemporaryFolder()
    try FileManager.default.removeItem(at: template.url)
    try FileManager.default.copyItem(at: store.folder.url, to: template.url)
    var call = 0
    var step = 1
    var (old, new) = (0, 0)
    while true {
      let copy = try TrailStore()
      try FileManager.default.removeItem(at: copy.folder.url)
      try FileManager.default.copyItem(at: template.url, to: copy.folder.url)
      let faults = CallFailures()
      faults.fail(call...call)
      var isDone = false
      do {
        _ = try DatabaseInterception.$wrap.withValue(faults.wrap) { try copy.open(TrailV4.self) }
        isDone = true
      } catch {
        #expect(error is SwiftDataError, "\(error)")
      }
      let failures = faults.stop()
      let version = try StoreFiles.texts(
        "SELECT value FROM swiftdata_metadata WHERE key = 'schema_version'", at: copy.url)
      if version == ["4.0.0"] {
        new += 1
        #expect(try copy.lastHikes() == TrailStore.lastHikes)
      } else {
        old += 1
        #expect(!isDone && version == ["1.0.0"])
        try copy.expectFirst()
        #expect(try copy.files().count == 1)
      }
      #expect(try copy.leftovers() == [])
      if failures == 0 { break }
      // All of the first calls, and some of the many that follow.
      call += step
      if call > 60 { step = 7 }
    }
    #expect(old > 20 && new > 0)
  }

  @Test("While stages run, others read the old values, and their saves wait or fail", .timeLimit(.minutes(10)))
  func others() throws {
    var patient = store.configuration
    patient.options.busyTimeout = .milliseconds(50)
    let container = try ModelContainer(for: Schema(versionedSchema: TrailV1.self), configurations: patient)
    let seen = Mutex<[String]>([])
    let isDone = DispatchSemaphore(value: 0)
    let stage = Self.stage { context in
      try context.delete(model: TrailV1.Hike.self)
      try context.save()
      let thread = Thread {
        let other = container.freshContext()
        let titles = (try? other.fetch(FetchDescriptor<TrailV1.Hike>()).map(\.title)) ?? []
        other.insert(TrailV1.Walker(name: "late"))
        do {
          try other.save()
        } catch {
          let reason = (error as? SwiftDataError)?.details?.storeFailureReason
          seen.withLock { $0 = titles + [reason == .busy ? "busy" : "\(error)"] }
        }
        if seen.withLock(\.isEmpty) { seen.withLock { $0 = ["saved"] } }
        isDone.signal()
      }
      thread.start()
      isDone.wait()
    }
    try with([stage]) { _ = try store.open(TrailV2.self) }
    #expect(seen.withLock { $0 } == ["Loch", "Ben", "busy"])
  }

  @Test("A container with an older version throws at the next use, and can be reopened")
  func olderContainer() throws {
    let container = try store.open(TrailV1.self, plan: false)
    let context = container.freshContext()
    let hike = try #require(try context.fetch(FetchDescriptor<TrailV1.Hike>()).first)
    _ = try store.open(TrailV4.self)
    hike.length = 99
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.save() }
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try container.freshContext().fetch(FetchDescriptor<TrailV1.Hike>())
    }
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try container.erase() }
    #expect(try store.lastHikes() == TrailStore.lastHikes)
    #expect(try StoreFiles.texts("PRAGMA integrity_check", at: store.url) == ["ok"])
  }

  @Test("A container with the last version continues after the store is opened again with a plan")
  func sameVersion() throws {
    _ = try store.open(TrailV4.self)
    let container = try store.open(TrailV4.self)
    let context = container.freshContext()
    let hike = try #require(try context.fetch(FetchDescriptor<TrailV4.Hike>()).first)
    _ = try store.open(TrailV4.self)
    hike.length = 99
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<TrailV4.Hike>()) == 2)
  }

  // MARK: Files of external values

  @Test("External files that stages write exist afterwards, and the ones they replace are removed")
  func externalFiles() throws {
    let other = Data(repeating: 3, count: 300_000)
    let stage = Self.stage(
      { context in
        for hike in try context.fetch(FetchDescriptor<TrailV1.Hike>()) where hike.track != nil { hike.track = nil }
        try context.save()
      },
      { context in
        for hike in try context.fetch(FetchDescriptor<TrailV2.Hike>()) { hike.track = other + Data(hike.title.utf8) }
        try context.save()
      })
    let before = try store.files()
    try with([stage]) {
      let container = try store.open(TrailV2.self)
      let hikes = try container.freshContext().fetch(FetchDescriptor<TrailV2.Hike>())
      #expect(hikes.map { $0.track == other + Data($0.title.utf8) } == [true, true])
    }
    let after = try store.files()
    #expect(after.count == 2 && Set(after).isDisjoint(with: before))
  }

  // MARK: History

  @Test("The earlier history can be read, and saves of stages are part of it")
  func history() throws {
    let before = try store.open(TrailV1.self, plan: false).freshContext()
    let token = try #require(try before.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    let context = try store.open(TrailV4.self).freshContext()
    let all = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let later = try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
    #expect(all.count == later.count + 1)
    // One save of the second version, and two of the names.
    #expect(later.count == 3)
    #expect(later.allSatisfy { !$0.changes.isEmpty })
  }

  // MARK: Leftovers of ended programs

  @Test(
    "Working copies of ended programs are private, and removed when the store is opened")
  func leftovers() throws {
    do {
      let copy = WorkingCopy(of: store.url)
      try copy.makeFolder()
      try Data("left".utf8).write(to: copy.url)
      let folder = copy.url.deletingLastPathComponent().path
      let permissions = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
      #expect(permissions == 0o700)
      // The copy is still in use, and may be the only one to name its files.
      _ = try store.open(TrailV1.self, plan: false)
      #expect(FileManager.default.fileExists(atPath: copy.url.path))
    }
    #expect(try !store.leftovers().isEmpty)
    _ = try store.open(TrailV1.self, plan: false)
    #expect(try store.leftovers() == [])
  }

  @Test("Files that a working copy may name are not removed")
  func filesOfCopies() throws {
    let copy = WorkingCopy(of: store.url)
    try copy.makeFolder()
    let name = try copy.files.write(Data(repeating: 1, count: 200_000))
    _ = try store.open(TrailV1.self, plan: false)
    #expect(try copy.files.read(name).count == 200_000)
    copy.remove()
    _ = try store.open(TrailV1.self, plan: false)
    #expect(throws: (any Error).self) { try copy.files.read(name) }
  }

  @Test("A working copy's folder that is removed before it is locked is made again")
  func emptyFolder() throws {
    let copy = WorkingCopy(of: store.url)
    try FileManager.default.createDirectory(at: copy.folder, withIntermediateDirectories: true)
    try copy.makeFolder()
    #expect(copy.exists)
    copy.remove()
    #expect(try store.leftovers() == [])
  }

  @Test("A symbolic link in place of the folder of copies is not followed when leftovers are removed")
  func link() throws {
    let treasure = try TemporaryFolder()
    let folder = treasure.url.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: store.folder.url.appendingPathComponent(".test.store.migration"), withDestinationURL: treasure.url)
    _ = try store.open(TrailV1.self, plan: false)
    #expect(throws: SwiftDataError.self) { try store.open(TrailV4.self) }
    #expect(FileManager.default.fileExists(atPath: folder.path))
    try store.expectFirst()
  }

  @Test("A container with an older version throws after code has changed the meaning of values")
  func changedMeaning() throws {
    let schema = Schema(versionedSchema: TrailV1.self)
    let container = try ModelContainer(for: schema, configurations: store.configuration)
    let context = container.freshContext()
    let hike = try #require(try context.fetch(FetchDescriptor<TrailV1.Hike>()).first)
    // The stage only adds a property, and its code changes the unit.
    let stage = Self.stage(nil) { context in
      for hike in try context.fetch(FetchDescriptor<TrailV2.Hike>()) { hike.length *= 1000 }
      try context.save()
    }
    try with([stage]) { _ = try store.open(TrailV2.self) }
    hike.length = 5
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.save() }
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try container.freshContext().fetch(FetchDescriptor<TrailV1.Hike>())
    }
  }

  // MARK: Backups

  @Test("With a migrationBackupFolder the store and its files are copied before a plan changes it")
  func backups() throws {
    let folder = store.folder.file("backups")
    var configuration = store.configuration
    configuration.options.migrationBackupFolder = folder
    func open(_ stages: [MigrationStage]) throws {
      try with(stages) {
        _ = try ModelContainer(
          for: Schema(versionedSchema: TrailV2.self), migrationPlan: TrailPlan.self, configurations: configuration)
      }
    }
    func copies() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        !$0.hasPrefix(".") && $0.hasSuffix(".store")
      }
    }
    #expect(throws: CancellationError.self) { try open([Self.stage { _ in throw CancellationError() }]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    try open([TrailPlan.toSecond])
    try open([TrailPlan.toSecond])
    let copy = try #require(try copies().first)
    #expect(try copies().count == 1)
    #expect(copy.hasPrefix("test 1.0.0 ") && copy.hasSuffix(".store"))
    let container = try ModelContainer(
      for: Schema(versionedSchema: TrailV1.self),
      configurations: ModelConfiguration(url: folder.appendingPathComponent(copy)))
    let hikes = try container.freshContext().fetch(FetchDescriptor<TrailV1.Hike>(sortBy: [SortDescriptor(\.title)]))
    #expect(hikes.map(\.title) == ["Ben", "Loch"])
    #expect(hikes.first?.track == TrailStore.track)
    let plain = try TrailStore()
    try plain.writeSecond()
    configuration = plain.configuration
    configuration.options.migrationBackupFolder = folder
    _ = try ModelContainer(
      for: Schema(versionedSchema: TrailV3.self), migrationPlan: TrailPlan.self, configurations: configuration)
    #expect(try copies().count == 2)
    // A migration that is refused without running code leaves no backup either.
    let stray = try TrailStore()
    try stray.writeFirst()
    configuration = stray.configuration
    configuration.options.migrationBackupFolder = folder
    let lightweight = MigrationStage.lightweight(fromVersion: TrailV1.self, toVersion: RequiredTrail.self)
    _ = with([lightweight]) {
      #expect(throws: SwiftDataError.self) {
        try ModelContainer(
          for: Schema(versionedSchema: RequiredTrail.self), migrationPlan: TrailPlan.self, configurations: configuration
        )
      }
    }
    #expect(try copies().count == 2)
    try stray.expectFirst()
  }

  // MARK: Progress

  @Test("The progress of opening a container counts stages, and can cancel them")
  func progress() throws {
    let parent = Progress(totalUnitCount: 10)
    parent.becomeCurrent(withPendingUnitCount: 10)
    _ = try store.open(TrailV4.self)
    parent.resignCurrent()
    #expect(parent.completedUnitCount == 10)
    let other = try TrailStore()
    try other.writeFirst()
    let cancelled = Progress(totalUnitCount: 1)
    let stage = Self.stage { context in
      try context.delete(model: TrailV1.Hike.self)
      try context.save()
      cancelled.cancel()
    }
    cancelled.becomeCurrent(withPendingUnitCount: 1)
    #expect(throws: CancellationError.self) { try with([stage]) { try other.open(TrailV2.self) } }
    cancelled.resignCurrent()
    try other.expectFirst()
    #expect(try other.leftovers() == [])
  }

  @Test(
    "A migration without space for its copy or its changes leaves the store unchanged",
    .enabled(if: SmallDisk.isAvailable), arguments: [700, 900, 1200, 1600, 8000])
  func migration(kilobytes: Int) throws {
    let store = try TrailStore()
    let disk = try SmallDisk(at: store.folder.url, kilobytes: kilobytes)
    defer { disk.remove() }
    try store.writeFirst()
    do {
      let container = try store.open(TrailV1.self, plan: false)
      let context = container.freshContext()
      for number in 0..<1000 {
        context.insert(TrailV1.Walker(name: "walker \(number) \(String(repeating: "x", count: 100))"))
      }
      try context.save()
      try container.close()
    }
    do {
      _ = try store.open(TrailV4.self)
      #expect(kilobytes > 700)
      #expect(try store.lastHikes() == TrailStore.lastHikes)
    } catch {
      #expect(kilobytes < 8000, "\(error)")
      #expect(error is SwiftDataError)
      #expect(try store.leftovers() == [])
      try store.expectFirst()
    }
  }
}
