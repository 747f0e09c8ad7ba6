package import Foundation
import GRDB
package import Workload

/// Results that GRDB observes: SQL by hand, a constant region, equal results not notified. It uses a pool of connections;
/// otherwise each statement of a fetch would check all observations.
package final class LiveObservations: LivePeer {
  package static let name = "GRDB"

  private let pool: DatabasePool
  private var keys: [Int: Int64] = [:]
  private var numbers: [Int64: Int] = [:]
  private var observations: [(records: ObservedRecords, cancellable: AnyDatabaseCancellable)] = []
  private let counts = ObservationCounts()
  private var firstInserted: Int?

  package init(_ file: URL) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(30)
    // This sets WAL and `synchronous = NORMAL`.
    pool = try DatabasePool(path: file.path, configuration: configuration)
  }

  package static func knows(_ saving: LiveSaving) -> Bool {
    saving == .sameContext
  }

  package func hold(_ rows: [Int], for saving: LiveSaving) throws {
    let wanted = Set(rows)
    for (key, number) in try numbersByKey() where wanted.contains(number) { keys[number] = key }
  }

  private func numbersByKey() throws -> [Int64: Int] {
    let rows = try pool.read { try Row.fetchAll($0, sql: "SELECT \"_id\", \"number\" FROM \"LiveRow\"") }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
  }

  // MARK: Queries

  package func open(_ queries: [LiveQuery], showsDifferences: Bool) throws {
    observations = queries.map { start($0, ImmediateValueObservationScheduler(), showsDifferences: showsDifferences) }
    // Makes each observation fetch again on the writing connection, because another connection may have written.
    try pool.writeWithoutTransaction { _ in }
    bringUpToDate()
    counts.reset()
  }

  /// - Parameter scheduler: A scheduler of any kind: the compiler does not know that this is the main thread.
  private func start(
    _ query: LiveQuery, _ scheduler: some ValueObservationScheduler, showsDifferences: Bool
  ) -> (records: ObservedRecords, cancellable: AnyDatabaseCancellable) {
    let records = ObservedRecords(showsDifferences: showsDifferences)
    let counts = counts
    let observation = ValueObservation.trackingConstantRegion { database in
      try query.fetch(database)
    }.removeDuplicates { old, new in
      let isSame = old == new
      counts.noteComparison(isSame: isSame)
      return isSame
    }.handleEvents(databaseDidChange: { counts.recordChange() })
    let cancellable = observation.start(in: pool, scheduling: scheduler) { error in
      fatalError("An observation failed: \(error)")
    } onChange: { new in
      if !records.isFirst { counts.noteReceived() }
      records.receive(new)
    }
    return (records, cancellable)
  }

  package func close() throws {
    observations = []
    // Observations end on the queue of the database.
    try pool.writeWithoutTransaction { _ in }
  }

  package func readAhead(_ queries: [LiveQuery]) throws {
    try open(queries, showsDifferences: false)
    try close()
  }

  package func observeAgain() {}

  package var notifications: Int { counts.received }

  package func numbers(ofQuery index: Int) throws -> [Int] {
    if numbers.isEmpty { numbers = try numbersByKey() }
    return observations[index].records.ids.map { numbers[$0] ?? -1 }
  }

  // MARK: Changes

  package func make(_ change: LiveChange, savedBy saving: LiveSaving) throws {
    try pool.write { try make(change, $0) }
  }

  private func make(_ change: LiveChange, _ database: Database) throws {
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
      try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
    switch change {
    case .note(let number):
      try execute("UPDATE \"LiveNote\" SET \"text\" = ?", ["\(number)"])
    case .position(let row, let position):
      try execute("UPDATE \"LiveRow\" SET \"position\" = ? WHERE \"_id\" = ?", [position, keys[row]])
    case .owner(let row, let owner):
      try execute("UPDATE \"LiveRow\" SET \"owner\" = ? WHERE \"_id\" = ?", [owner, keys[row]])
    case .text(let row, let word):
      try execute("UPDATE \"LiveRow\" SET \"text\" = ? WHERE \"_id\" = ?", [LiveSeed.text(word: word), keys[row]])
    case .allPositions(let turn):
      // In one statement, because each statement checks all observations.
      let values = keys.map { number, key in
        "(\(key), \(LiveSeed.position(number: number, rowCount: keys.count, turn: turn)))"
      }
      try database.execute(
        sql: """
          WITH "new" ("key", "value") AS (VALUES \(values.joined(separator: ", ")))
          UPDATE "LiveRow" SET "position" = "value" FROM "new" WHERE "_id" = "key"
          """)
    case .insert(let seeds):
      let insertion = "INSERT INTO \"LiveRow\" (\"number\", \"owner\", \"position\", \"text\") VALUES (?, ?, ?, ?)"
      for seed in seeds { try execute(insertion, [seed.number, seed.owner, seed.position, seed.text]) }
      firstInserted = seeds.map(\.number).min()
    case .deleteInserted:
      if let firstInserted { try execute("DELETE FROM \"LiveRow\" WHERE \"number\" >= ?", [firstInserted]) }
    }
  }

  package func save() throws {}

  package func bringUpToDate() {
    while !counts.isResolved {
      RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
  }
}
