import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Stages of a migration plan")
struct StagedMigrationTests {
  private let store: TrailStore

  init() throws {
    store = try TrailStore()
  }

  /// The actions of the stages, in order.
  private final class Trace: Sendable {
    private let entries = Mutex<[String]>([])
    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  private func withStages<Result>(_ stages: [MigrationStage], _ body: () throws -> Result) rethrows -> Result {
    try TrailPlan.$chosenStages.withValue(stages, operation: body)
  }

  @Test("A store of any version is migrated to the last one by all stages in between")
  func anyVersion() throws {
    try store.writeFirst()
    _ = try store.open(TrailV4.self)
    #expect(try store.lastHikes() == TrailStore.lastHikes)
    #expect(try store.leftovers() == [])
    let other = try TrailStore()
    try other.writeSecond()
    _ = try other.open(TrailV4.self)
    #expect(try other.lastHikes() == ["Coast 30 true false Ada/Lovelace"])
    let middle = try TrailStore()
    try middle.writeFirst()
    _ = try middle.open(TrailV2.self)
    _ = try middle.open(TrailV3.self)
    _ = try middle.open(TrailV4.self)
    #expect(try middle.lastHikes() == TrailStore.lastHikes)
  }

  @Test("Closures run once, in order, with the models of their version, and not again at the next opening")
  func order() throws {
    try store.writeFirst()
    let trace = Trace()
    func traced(_ name: String, _ from: any VersionedSchema.Type, _ to: any VersionedSchema.Type) -> MigrationStage {
      .custom(
        fromVersion: from, toVersion: to,
        willMigrate: { context in
          trace.note("will \(name) \(context.container.schema.version) \(context.autosaveEnabled)")
        },
        didMigrate: { context in trace.note("did \(name) \(context.container.schema.version)") })
    }
    let stages = [
      traced("3-4", TrailV3.self, TrailV4.self), traced("1-2", TrailV1.self, TrailV2.self),
      traced("2-3", TrailV2.self, TrailV3.self),
    ]
    try withStages(stages) {
      for _ in 0..<2 { _ = try store.open(TrailV4.self) }
    }
    #expect(
      trace.all == [
        "will 1-2 1.0.0 false", "did 1-2 2.0.0", "will 2-3 2.0.0 false", "did 2-3 3.0.0", "will 3-4 3.0.0 false",
        "did 3-4 4.0.0",
      ])
    let fresh = try TrailStore()
    try withStages(stages) { _ = try fresh.open(TrailV4.self) }
    #expect(trace.all.count == 6)
  }

  @Test("Contexts of closures support everything that other contexts do")
  func completeContexts() throws {
    try store.writeFirst()
    let trace = Trace()
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      willMigrate: { context in
        let hikes = try context.fetch(FetchDescriptor<TrailV1.Hike>(sortBy: [SortDescriptor(\.title)]))
        trace.note(hikes.map { "\($0.title): \($0.walkers.map(\.name))" }.joined(separator: "; "))
        let walker = TrailV1.Walker(name: "Ida")
        context.insert(walker)
        hikes[0].walkers.insert(walker, at: 0)
        try context.save()
        try context.delete(model: TrailV1.Walker.self, where: #Predicate { $0.name == "Grace" })
        try context.save()
        trace.note("\(try context.fetchCount(FetchDescriptor<TrailV1.Walker>()))")
        trace.note("\(hikes[0].walkers.map(\.name))")
        trace.note("\(try context.fetchAggregates(.sum(of: \TrailV1.Hike.length)))")
      },
      didMigrate: { context in
        let hikes = try context.fetch(FetchDescriptor<TrailV2.Hike>(sortBy: [SortDescriptor(\.title)]))
        context.delete(hikes[1])
        hikes[0].title = "Ben Nevis"
        try context.transaction { context.insert(TrailV2.Hike(title: "New", length: 1)) }
        trace.note("\(hikes[0].walkers.map(\.name))")
        trace.note("\(try context.fetchCount(FetchDescriptor<TrailV2.Hike>()))")
      })
    try withStages([stage]) {
      let context = try store.open(TrailV2.self).freshContext()
      let hikes = try context.fetch(FetchDescriptor<TrailV2.Hike>(sortBy: [SortDescriptor(\.title)]))
      #expect(hikes.map(\.title) == ["Ben Nevis", "New"])
      #expect(hikes[0].walkers.map(\.name) == ["Ida", "Ada Lovelace"])
    }
    #expect(
      trace.all == [
        #"Ben: ["Ada Lovelace", "Grace"]; Loch: ["Grace", "Ada Lovelace"]"#, "2", #"["Ida", "Ada Lovelace"]"#, "21",
        #"["Ida", "Ada Lovelace"]"#, "2",
      ])
  }

  /// Used by one thread.
  private final class Kept: @unchecked Sendable {
    var hikes: [TrailV1.Hike] = []
  }

  @Test("Models that a closure retained can be read by the next one, including deleted ones")
  func retainedModels() throws {
    try store.writeFirst()
    let trace = Trace()
    let kept = Kept()
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      willMigrate: { context in
        let hikes = try context.fetch(FetchDescriptor<TrailV1.Hike>(sortBy: [SortDescriptor(\.title)]))
        context.delete(hikes[1])
        try context.save()
        trace.note("\(hikes[1].title) \(hikes[1].length)")
        kept.hikes = hikes
      },
      didMigrate: { context in
        let old = kept.hikes
        trace.note(old.map { "\($0.title) \($0.length) \($0.track?.count ?? 0)" }.joined(separator: ","))
        trace.note("\(old[0].walkers.map(\.name))")
        trace.note("\(try context.fetchCount(FetchDescriptor<TrailV2.Hike>()))")
      })
    try withStages([stage]) { _ = try store.open(TrailV2.self) }
    #expect(trace.all == ["Loch 4", "Ben 17 200000,Loch 4 0", #"["Ada Lovelace", "Grace"]"#, "1"])
  }

  private struct Failure: Error {}

  @Test("A failed closure leaves the store unchanged byte for byte, and its error is thrown", arguments: 0..<6)
  func failures(failing: Int) throws {
    try store.writeFirst()
    let trace = Trace()
    func closure(_ number: Int) -> MigrationStage.Code {
      { context in
        if number % 2 == 0, number < 2 {
          context.insert(TrailV1.Hike(title: "lost", length: 1, track: TrailStore.track + [1]))
          try context.save()
        }
        trace.note("\(number)")
        if number == failing { throw Failure() }
      }
    }
    func stage(_ number: Int, _ from: any VersionedSchema.Type, _ to: any VersionedSchema.Type) -> MigrationStage {
      .custom(
        fromVersion: from, toVersion: to, willMigrate: closure(2 * number), didMigrate: closure(2 * number + 1))
    }
    let stages = [
      stage(0, TrailV1.self, TrailV2.self), stage(1, TrailV2.self, TrailV3.self), stage(2, TrailV3.self, TrailV4.self),
    ]
    let error = try expectRefusal(in: store.folder) { try withStages(stages) { try store.open(TrailV4.self) } }
    #expect(error?.details?.underlyingError is Failure)
    let name = failing % 2 == 0 ? "willMigrate" : "didMigrate"
    #expect(error?.details?.message?.hasPrefix("\(name) of the stage from TrailV\(failing / 2 + 1)") == true)
    #expect(trace.all == (0...failing).map(String.init))
    #expect(try store.leftovers() == [])
    try store.expectFirst()
    _ = try store.open(TrailV4.self)
    #expect(try store.lastHikes() == TrailStore.lastHikes)
  }

  @Test("Changes that a closure does not save are lost")
  func unsaved() throws {
    try store.writeFirst()
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      willMigrate: { context in for hike in try context.fetch(FetchDescriptor<TrailV1.Hike>()) { hike.length = 0 } },
      didMigrate: { context in context.insert(TrailV2.Hike(title: "unsaved", length: 1)) })
    try withStages([stage]) {
      let context = try store.open(TrailV2.self).freshContext()
      let hikes = try context.fetch(FetchDescriptor<TrailV2.Hike>(sortBy: [SortDescriptor(\.length)]))
      #expect(hikes.map(\.length) == [4, 17])
    }
  }

  // MARK: Plans

  @Test("Versions of equal shape are one, and the stage between them does not run")
  func equalShapes() throws {
    try store.writeFirst()
    let never = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV1Again.self, willMigrate: { _ in throw Failure() }, didMigrate: nil)
    let second = MigrationStage.custom(
      fromVersion: TrailV1Again.self, toVersion: TrailV2.self,
      willMigrate: { context in
        for hike in try context.fetch(FetchDescriptor<TrailV1Again.Hike>()) { hike.length = 0 }
        try context.save()
      }, didMigrate: nil)
    try TrailPlan.$chosenSchemas.withValue([TrailV1.self, TrailV1Again.self, TrailV2.self]) {
      try withStages([never, second]) {
        _ = try store.open(TrailV1Again.self)
        let context = try store.open(TrailV2.self).freshContext()
        #expect(try context.fetch(FetchDescriptor<TrailV2.Hike>()).map(\.length) == [0, 0])
      }
    }
  }

  @Test("A plan may list only the last version, list versions in any order, or migrate to an older one")
  func anyPlan() throws {
    let back = MigrationStage.custom(
      fromVersion: TrailV2.self, toVersion: TrailV1.self, willMigrate: nil,
      didMigrate: { context in
        for hike in try context.fetch(FetchDescriptor<TrailV1.Hike>()) { hike.title += "!" }
        try context.save()
      })
    let lists: [[any VersionedSchema.Type]] = [[TrailV1.self], [TrailV2.self, TrailV1.self], []]
    for list in lists {
      let store = try TrailStore()
      try store.writeSecond()
      try TrailPlan.$chosenSchemas.withValue(list) {
        try withStages([back]) {
          let hike = try store.open(TrailV1.self).freshContext().only(TrailV1.Hike.self)
          #expect(hike.title == "Coast!")
          #expect(hike.walkers.map(\.name) == ["Ada Lovelace"])
        }
      }
    }
  }

  @Test("A missing stage between two versions is lightweight, and a missing way back is backwardMigration")
  func missingStages() throws {
    try store.writeFirst()
    try withStages([TrailPlan.toThird, TrailPlan.toFourth]) {
      _ = try store.open(TrailV4.self)
      #expect(
        try store.lastHikes() == ["Ben 17 false true Ada/Lovelace,?/Grace", "Loch 4 false false ?/Grace,Ada/Lovelace"])
      let before = try StoreFiles.contents(of: store.folder.url)
      let error = #expect(throws: SwiftDataError.self) { try store.open(TrailV1.self) }
      #expect(error == .backwardMigration)
      #expect(error?.details?.message?.contains("TrailV4 (4.0.0)") == true)
      #expect(try StoreFiles.contents(of: store.folder.url) == before)
    }
  }

  @Test("A store whose version the plan lacks is refused, with the differences to the nearest version")
  func unknownVersion() throws {
    do {
      let context = try ModelContainer(for: StrayTrail.Hike.self, configurations: store.configuration).freshContext()
      context.insert(StrayTrail.Hike(title: "a"))
      try context.save()
      try context.container.close()
    }
    let error = try expectRefusal(in: store.folder) { try store.open(TrailV4.self) }
    let message = try #require(error?.details?.message)
    for version in ["TrailV1 (1.0.0)", "TrailV2 (2.0.0)", "TrailV3 (3.0.0)", "TrailV4 (4.0.0)"] {
      #expect(message.contains(version))
    }
    #expect(message.contains("The nearest version is TrailV1"))
    let issues = error?.details?.issues.map(\.description) ?? []
    #expect(
      issues == [
        "Walker: The store has no such model.", "Hike.colour: The store has it, as String?, and the version lacks it.",
        "Hike.length: It is String in the store, and Int in the version.",
        "Hike.track: The store lacks it; it is Data? in the version.",
        "Hike.walkers: The store lacks it; it is [Walker], the inverse of hikes in the version.",
      ])
  }

  @Test("A store that lacks only parts of the first version is older than the plan, and starts there")
  func olderThanPlan() throws {
    do {
      let context = try ModelContainer(for: BareTrail.Hike.self, configurations: store.configuration).freshContext()
      context.insert(BareTrail.Hike(title: "a", length: 12))
      try context.save()
    }
    _ = try store.open(TrailV4.self)
    #expect(try store.lastHikes() == ["a 12 true false "])
  }

  @Test("Models that the container's schema has beyond the last version are added")
  func beyondPlan() throws {
    try store.writeFirst()
    let schema = Schema(TrailV2.models + [First.Item.self])
    try withStages([TrailPlan.toSecond]) {
      try TrailPlan.$chosenSchemas.withValue([TrailV1.self, TrailV2.self]) {
        let container = try ModelContainer(
          for: schema, migrationPlan: TrailPlan.self, configurations: store.configuration)
        let context = container.freshContext()
        #expect(try context.fetchCount(FetchDescriptor<TrailV2.Hike>(predicate: #Predicate { $0.isLong })) == 1)
        #expect(try context.fetchCount(FetchDescriptor<First.Item>()) == 0)
      }
    }
  }

  @Test("Stages without code run in one transaction, without a copy of the store")
  func withoutCopy() throws {
    try store.writeFirst()
    let stages = [
      MigrationStage.lightweight(fromVersion: TrailV1.self, toVersion: TrailV2.self), TrailPlan.toThird,
    ]
    try withStages(stages) {
      let identity = try FileManager.default.attributesOfItem(atPath: store.url.path)[.systemFileNumber] as? Int
      let log = StatementLog()
      let container = try log.observe { try store.open(TrailV3.self) }
      #expect(try container.freshContext().fetch(FetchDescriptor<TrailV3.Hike>()).map(\.name) == ["Loch", "Ben"])
      #expect(log.statements(of: "ALTER TABLE").count == 2)
      #expect(try FileManager.default.attributesOfItem(atPath: store.url.path)[.systemFileNumber] as? Int == identity)
    }
  }

  @Test("A migration of a read-only store is refused, and a store in memory needs none")
  func readOnlyAndMemory() throws {
    try store.writeFirst()
    let readOnly = ModelConfiguration(url: store.url, allowsSave: false)
    try expectRefusal(in: store.folder) {
      try ModelContainer(
        for: Schema(versionedSchema: TrailV4.self), migrationPlan: TrailPlan.self, configurations: readOnly)
    }
    let memory = ModelConfiguration(isStoredInMemoryOnly: true)
    let container = try ModelContainer(
      for: Schema(versionedSchema: TrailV4.self), migrationPlan: TrailPlan.self, configurations: memory)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<TrailV4.Hike>()) == 0)
  }
}

enum StrayTrail {
  @Model
  final class Hike {
    var title: String
    var length = ""
    var colour: String?

    init(title: String) {
      self.title = title
    }
  }
}

enum BareTrail {
  @Model
  final class Hike {
    var title: String
    var length: Int

    init(title: String, length: Int) {
      self.title = title
      self.length = length
    }
  }
}
