import Foundation
import PostgresDriver
import Relational
import Support
import SwiftDataPostgres
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite(
  "Stages with code, of a store on PostgreSQL", .serialized,
  .enabled(if: PostgresTests.url != nil, "OSD_POSTGRES_URL is not set"))
struct StagedMigrationTests {
  private let configuration = SwiftDataPostgres.PostgresConfiguration(
    url: PostgresTests.url ?? "", namespace: "Stages's \(UUID().uuidString.prefix(8))")

  private static let track = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  private typealias Hikes = FetchDescriptor<TrailV1.Hike>

  /// The namespaces in which stages ran.
  private final class Places: Sendable {
    private let places = Mutex<Set<String>>([])

    func record(_ context: ModelContext) {
      let place = (context.container.core.stores.first as? RelationalStore)?.configuration.place
      guard let name = place?.drop(while: { $0 != "," }).dropFirst(", schema ".count) else { return }
      places.withLock { _ = $0.insert(String(name)) }
    }

    var all: [String] { places.withLock { $0.sorted() } }
  }

  private func open(
    _ version: any VersionedSchema.Type, plan: Bool = true, busyTimeout: Duration = .seconds(10), name: String? = nil
  ) throws -> ModelContainer {
    var configuration = configuration
    configuration.options.busyTimeout = busyTimeout
    configuration.connections.applicationName = name
    return try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan ? TrailPlan.self : nil, configurations: configuration)
  }

  private func migrate(_ stages: MigrationStage..., to version: any VersionedSchema.Type = TrailV2.self) throws {
    try TrailPlan.$chosenStages.withValue(stages) { try open(version).close() }
  }

  private func writeFirst() throws {
    let container = try open(TrailV1.self, plan: false)
    let context = container.freshContext()
    let (ada, grace) = (TrailV1.Walker(name: "Ada Lovelace"), TrailV1.Walker(name: "Grace"))
    let loch = TrailV1.Hike(title: "Loch", length: 4)
    let ben = TrailV1.Hike(title: "Ben", length: 17, track: Self.track)
    for model in [ada, grace] { context.insert(model) }
    for model in [loch, ben] { context.insert(model) }
    loch.walkers = [grace, ada]
    ben.walkers = [ada, grace]
    try context.save()
    try container.close()
  }

  private func lastHikes() throws -> [String] {
    let container = try open(TrailV4.self, plan: false)
    let hikes = try container.freshContext().fetch(FetchDescriptor<TrailV4.Hike>(sortBy: [SortDescriptor(\.name)]))
    let lines = hikes.map { hike in
      let walkers = hike.walkers.map { "\($0.firstName)/\($0.lastName)" }.joined(separator: ",")
      return "\(hike.name) \(hike.length) \(hike.isLong) \(hike.track == Self.track) \(walkers)"
    }
    try container.close()
    return lines
  }

  private func expectFirst(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let container = try open(TrailV1.self, plan: false)
    let hikes = try container.freshContext().fetch(Hikes(sortBy: [SortDescriptor(\.title)]))
    #expect(hikes.map(\.title) == ["Ben", "Loch"], sourceLocation: sourceLocation)
    #expect(
      hikes.map { $0.walkers.map(\.name) } == [["Ada Lovelace", "Grace"], ["Grace", "Ada Lovelace"]],
      sourceLocation: sourceLocation)
    try container.close()
  }

  private func onServer<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    let database = try PostgresDatabase(
      configuration: .init(server: .url(PostgresTests.url ?? ""), schema: configuration.namespace))
    defer { try? database.close() }
    return try database.withoutTransaction(body)
  }

  private func texts(_ sql: String) throws -> [String] {
    try onServer { connection in
      var texts: [String] = []
      try connection.forEachRow(sql) { texts.append($0.text(0)) }
      return texts
    }
  }

  /// The schemas among some that exist.
  private func existing(_ places: [String]) throws -> [String] {
    let all = Set(try texts("SELECT nspname::text FROM pg_namespace"))
    return places.filter(all.contains)
  }

  private struct Failed: Error {}

  @Test("A store is migrated by all stages, and continues to assign new keys")
  func allStages() throws {
    try writeFirst()
    try open(TrailV4.self).close()
    #expect(try lastHikes() == ["Ben 17 true true Ada/Lovelace,?/Grace", "Loch 4 false false ?/Grace,Ada/Lovelace"])
    let container = try open(TrailV4.self)
    let context = container.freshContext()
    context.insert(TrailV4.Hike(name: "New", length: 1))
    context.insert(TrailV4.Walker(firstName: "Ida", lastName: "B"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<TrailV4.Hike>()) == 3)
    #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty == false)
    try container.close()
    let inspector = MigrationInspector(for: Schema(versionedSchema: TrailV4.self), configurations: configuration)
    #expect(try inspector.drift() == [])
  }

  @Test("The code of a stage reads the old models while it changes the new ones, and its working copies are removed")
  func bothVersions() throws {
    try writeFirst()
    let places = Places()
    let will = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      willMigrate: { context in
        places.record(context)
        try context.delete(model: TrailV1.Hike.self, where: #Predicate { $0.title == "Loch" })
        try context.save()
        context.insert(TrailV1.Hike(title: "Glen", length: 3))
        try context.save()
      },
      didMigrate: { new in
        places.record(new)
        let old = try #require(new.container.core.previous)
        let hikes = try new.fetch(FetchDescriptor<TrailV2.Hike>())
        for hike in hikes { (hike.title, hike.isLong) = ("New \(hike.title)", true) }
        try new.save()
        #expect(try old.fetch(Hikes(sortBy: [SortDescriptor(\.title)])).map(\.title) == ["Ben", "Glen"])
        #expect(
          try old.fetch(Hikes(sortBy: [SortDescriptor(\.title)])).first?.walkers.map(\.name) == [
            "Ada Lovelace", "Grace",
          ])
        old.insert(TrailV1.Hike(title: "Late", length: 1))
        #expect(throws: SwiftDataError.self) { try old.save() }
        old.rollback()
      })
    try migrate(will)
    let container = try open(TrailV2.self, plan: false)
    let hikes = try container.freshContext().fetch(FetchDescriptor<TrailV2.Hike>(sortBy: [SortDescriptor(\.title)]))
    #expect(hikes.map(\.title) == ["New Ben", "New Glen"])
    #expect(hikes.map(\.isLong) == [true, true])
    try container.close()
    #expect(places.all.count == 2)
    #expect(places.all.allSatisfy { $0.hasPrefix(workingCopyPrefix) }, "\(places.all)")
    #expect(try existing(places.all) == [])
  }

  @Test("A stage that fails changes nothing", arguments: [false, true])
  func failure(isLate: Bool) throws {
    try writeFirst()
    let places = Places()
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self,
      willMigrate: { context in
        places.record(context)
        try context.delete(model: TrailV1.Walker.self)
        try context.save()
        if !isLate { throw Failed() }
      },
      didMigrate: { context in
        places.record(context)
        try context.delete(model: TrailV2.Hike.self)
        try context.save()
        throw Failed()
      })
    let error = #expect(throws: SwiftDataError.self) { try migrate(stage) }
    #expect(error?.details?.underlyingError is Failed)
    #expect(places.all.count == (isLate ? 2 : 1))
    #expect(try existing(places.all) == [])
    try expectFirst()
  }

  @Test("Another container reads the old state and cannot save during a migration, and is refused afterwards")
  func otherContainer() throws {
    try writeFirst()
    let other = try open(TrailV1.self, plan: false, busyTimeout: .milliseconds(100))
    let context = other.freshContext()
    let first = try #require(try context.fetch(Hikes(sortBy: [SortDescriptor(\.title)])).first)
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, willMigrate: nil,
      didMigrate: { _ in
        let outside = other.freshContext()
        let titles = try outside.fetch(Hikes(sortBy: [SortDescriptor(\.title)])).map(\.title)
        #expect(titles == ["Ben", "Loch"])
        outside.insert(TrailV1.Hike(title: "Outside", length: 1))
        let error = #expect(throws: SwiftDataError.self) { try outside.save() }
        #expect(error == .storeFailure)
      })
    try migrate(stage)
    let reading = #expect(throws: SwiftDataError.self) { try context.fetch(Hikes(sortBy: [SortDescriptor(\.title)])) }
    #expect(reading == .loadIssueModelContainer)
    first.title = "Changed"
    let saving = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(saving == .loadIssueModelContainer)
    try other.close()
    let container = try open(TrailV2.self, plan: false)
    let hikes = try container.freshContext().fetch(FetchDescriptor<TrailV2.Hike>(sortBy: [SortDescriptor(\.title)]))
    #expect(hikes.map(\.title) == ["Ben", "Loch"])
    try container.close()
  }

  @Test("A save that waits for a migration does not stop it, and is refused afterwards")
  func waitingSave() throws {
    try writeFirst()
    let name = "waiting \(UUID().uuidString)"
    let other = try open(TrailV1.self, plan: false, busyTimeout: .seconds(60), name: name)
    let outcome = Mutex<SwiftDataError?>(nil)
    let ended = DispatchSemaphore(value: 0)
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, willMigrate: nil,
      didMigrate: { [self] _ in
        Thread.detachNewThread {
          let context = other.freshContext()
          context.insert(TrailV1.Hike(title: "Waiting", length: 1))
          do {
            try context.save()
          } catch {
            outcome.withLock { $0 = error as? SwiftDataError }
          }
          ended.signal()
        }
        let query = "SELECT 'x' FROM pg_stat_activity WHERE application_name = '\(name)' AND wait_event_type = 'Lock'"
        while try texts(query).isEmpty { sched_yield() }
      })
    try migrate(stage)
    ended.wait()
    #expect(outcome.withLock { $0 } == .loadIssueModelContainer)
    try other.close()
  }

  @Test("A preview, a rehearsal and a drift check change nothing")
  func inspector() throws {
    try writeFirst()
    let inspector = MigrationInspector(
      for: Schema(versionedSchema: TrailV4.self), migrationPlan: TrailPlan.self, configurations: configuration)
    #expect(try inspector.preview().steps.map(\.kind) == [.custom, .lightweight, .custom])
    let steps = try inspector.rehearse()
    #expect(steps.count == 3)
    #expect(steps.allSatisfy { $0.duration != nil })
    #expect(try !inspector.drift().isEmpty)
    try expectFirst()
    let present = MigrationInspector(for: Schema(versionedSchema: TrailV1.self), configurations: configuration)
    #expect(try present.drift() == [])
    try onServer {
      try $0.execute("ALTER TABLE \"Hike\" ADD note text; ALTER TABLE \"Hike\" ALTER length TYPE integer")
    }
    #expect(try present.drift().map(\.property) == ["length", "note"])
    try open(TrailV4.self).close()
    #expect(try inspector.preview().steps.isEmpty)
  }

  @Test("A store that does not exist has nothing to inspect")
  func noStore() throws {
    let inspector = MigrationInspector(
      for: Schema(versionedSchema: TrailV4.self), migrationPlan: TrailPlan.self, configurations: configuration)
    #expect(try inspector.preview().steps.isEmpty)
    #expect(try inspector.rehearse().isEmpty)
    #expect(try inspector.drift() == [])
  }

  @Test("Stages without code change the tables in place")
  func lightweight() throws {
    try writeFirst()
    let before = try texts("SELECT tableoid::text FROM \"Hike\"")
    try migrate(
      .lightweight(fromVersion: TrailV1.self, toVersion: TrailV2.self), TrailPlan.toThird, to: TrailV3.self)
    #expect(try texts("SELECT tableoid::text FROM \"Hike\"") == before)
    let container = try open(TrailV3.self, plan: false)
    let ben = FetchDescriptor<TrailV3.Hike>(predicate: #Predicate { $0.name == "Ben" })
    #expect(try container.freshContext().fetchCount(ben) == 1)
    try container.close()
  }

  @Test("A folder for backups is refused, because a server has no file to copy")
  func backupFolder() throws {
    try writeFirst()
    var configuration = configuration
    configuration.options.migrationBackupFolder = URL(fileURLWithPath: "/tmp")
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Schema(versionedSchema: TrailV1.self), configurations: [configuration])
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.details?.message?.contains("migrationBackupFolder") == true)
  }

  @Test("A view of an administrator is named in an error, and nothing changes")
  func view() throws {
    try writeFirst()
    try onServer { try $0.execute("CREATE VIEW titles AS SELECT title FROM \"Hike\"") }
    let error = #expect(throws: SwiftDataError.self) { try open(TrailV4.self) }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.details?.message?.contains("titles") == true, "\(String(describing: error))")
    try expectFirst()
    try onServer { try $0.execute("DROP VIEW titles") }
    try open(TrailV4.self).close()
  }

  @Test("A view that an administrator makes during the migration fails it, and nothing changes")
  func lateView() throws {
    try writeFirst()
    let places = Places()
    let stage = MigrationStage.custom(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, willMigrate: nil,
      didMigrate: { [self] context in
        places.record(context)
        try onServer { try $0.execute("CREATE VIEW titles AS SELECT title FROM \"Hike\"") }
      })
    let error = #expect(throws: SwiftDataError.self) { try migrate(stage) }
    #expect(error?.details?.message?.contains("titles") == true, "\(String(describing: error))")
    try expectFirst()
    #expect(try existing(places.all) == [])
  }

  @Test("Rights, triggers and comments of an administrator stay")
  func rights() throws {
    try writeFirst()
    try onServer {
      try $0.execute(
        """
        GRANT SELECT ON "Hike" TO PUBLIC; GRANT UPDATE (length) ON "Hike" TO PUBLIC; COMMENT ON TABLE "Hike" IS 'it''s';
        CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE TRIGGER watch BEFORE UPDATE ON "Hike" FOR EACH ROW EXECUTE FUNCTION nothing()
        """)
    }
    let facts = """
      SELECT concat_ws('|', array_to_string(relacl, ','), obj_description(oid), (SELECT string_agg(tgname, ',')
        FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal), (SELECT string_agg(array_to_string(attacl, ','), ',')
        FROM pg_attribute WHERE attrelid = c.oid)) FROM pg_class c WHERE oid = '"Hike"'::regclass
      """
    let (before, table) = try (texts(facts), texts("SELECT '\"Hike\"'::regclass::oid::text"))
    try open(TrailV4.self).close()
    #expect(try texts(facts) == before)
    #expect(before.first?.contains("|it's|watch|") == true)
    #expect(try texts("SELECT '\"Hike\"'::regclass::oid::text") != table)
  }

  @Test("A migration removes the working copies of ended programs, and no others")
  func leftovers() throws {
    try writeFirst()
    let (left, used) = (workingCopyPrefix + "left_1", workingCopyPrefix + "used_2")
    try onServer { connection in
      try connection.execute("CREATE SCHEMA \(left); CREATE TABLE \(left).x (y int); CREATE SCHEMA \(used)")
      try connection.execute("BEGIN; SELECT pg_advisory_xact_lock_shared(hashtext('\(workingCopyPrefix)used'))")
      try open(TrailV4.self).close()
      #expect(try existing([left, used]) == [used])
      try connection.execute("COMMIT; DROP SCHEMA \(used)")
    }
  }

  @Test("A plan does not migrate several stores together")
  func severalStores() throws {
    func open(_ version: any VersionedSchema.Type) throws -> ModelContainer {
      let configurations = version.models.map { model in
        SwiftDataPostgres.PostgresConfiguration(
          "\(model)", schema: Schema([model]), url: PostgresTests.url ?? "",
          namespace: "\(configuration.namespace) \(model)")
      }
      return try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: PairPlan.self, configurations: configurations[0],
        configurations[1])
    }
    let container = try open(PairV1.self)
    container.freshContext().insert(PairV1.Owner(name: "Ida"))
    try container.close()
    let error = #expect(throws: SwiftDataError.self) { try open(PairV2.self) }
    #expect(error?.details?.message?.contains("several stores together") == true, "\(String(describing: error))")
    try open(PairV1.self).close()
  }
}
