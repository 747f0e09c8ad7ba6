import Foundation
import Relational

/// Finishes commits of several stores that an ended program has begun: see `CommitRecord`.
struct CommitRecovery {
  private let record: CommitRecord
  /// The timeout of the configuration that is about to be opened.
  private let busyTimeout: Duration

  /// Whether a commit of these stores has to be finished, or another process is finishing one.
  static func isNeeded(_ configurations: [ModelConfiguration]) throws -> Bool {
    try copies(configurations).contains { _, copy in try CommitRecord.committed(beside: copy) != nil }
  }

  /// Finishes such commits, or waits for the process that does.
  ///
  /// - Parameter configurations: The configurations of stores that are about to be opened. Those of read-only stores are
  ///   ignored.
  /// - Throws: The reason why a commit could not be finished.
  static func run(_ configurations: [ModelConfiguration]) throws {
    for (configuration, copy) in copies(configurations) {
      try RelationalStore.describingFailures(of: configuration) {
        guard let record = try CommitRecord.committed(beside: copy) else { return }
        let timeout = configuration.options.busyTimeout
        try CommitRecovery(record: record, busyTimeout: timeout).run(until: .now + timeout)
      }
    }
  }

  private static func copies(_ configurations: [ModelConfiguration]) -> [(ModelConfiguration, WorkingCopy)] {
    configurations.filter { $0.allowsSave && $0.hasFile }.flatMap { configuration in
      WorkingCopy.all(of: configuration.url).map { (configuration, $0) }
    }
  }

  private func run(until deadline: ContinuousClock.Instant) throws {
    guard let first = record.copies.first, try first.take(until: deadline) else { return }
    // Another process may have finished the commit.
    guard try CommitRecord(beside: first) == record else { return }
    let members = try confirmed(first, until: deadline)
    let unused = try resolve(members)
    for copy in unused {
      let folder = try copy.keep()
      Log.store.error(
        """
        The store \(copy.store.path) is unchanged, and other stores of the same migration may have changed: it was \
        saved to after the migration was interrupted, or its copy is damaged, or the copy of another store is missing. The \
        migrated copy is in \(folder.path). Remove that folder when you do not need it.
        """)
    }
    try CommitRecord.remove(beside: first)
    for (_, copy) in members { copy.remove() }
  }

  /// The members whose copies have the record beside them too, with the locked copies.
  private func confirmed(
    _ first: WorkingCopy, until deadline: ContinuousClock.Instant
  ) throws -> [(CommitRecord.Member, WorkingCopy)] {
    var confirmed: [(CommitRecord.Member, WorkingCopy)] = []
    for (member, copy) in zip(record.members, [first] + record.copies.dropFirst()) {
      if copy !== first {
        guard try CommitRecord(beside: copy) == record, try copy.take(until: deadline) else { continue }
      }
      confirmed.append((member, copy))
    }
    return confirmed
  }

  // MARK: Stores

  private enum Finding {
    /// The copy has replaced the store, even if something was saved since.
    case new
    case old(RevisedStore)
    /// Something was saved, or the copy cannot be used.
    case other(WorkingCopy)
  }

  /// - Returns: The copies that do not replace their stores, though other copies do.
  private func resolve(_ members: [(CommitRecord.Member, WorkingCopy)]) throws -> [WorkingCopy] {
    while true {
      do {
        var unused: [WorkingCopy] = []
        try examine(members[...], []) { unused = try finish($0) }
        return unused
      } catch is UnopenedStore.Overtaken {
        continue
      }
    }
  }

  /// Calls `body` with the findings of all stores, while no process can save to the old ones.
  private func examine(
    _ remaining: ArraySlice<(CommitRecord.Member, WorkingCopy)>, _ findings: [Finding],
    _ body: ([Finding]) throws -> Void
  ) throws {
    guard let (member, copy) = remaining.first else { return try body(findings) }
    let rest = remaining.dropFirst()
    var configuration = ModelConfiguration(url: copy.store)
    configuration.options.busyTimeout = busyTimeout
    guard let store = try UnopenedStore(configuration) else {
      return try examine(rest, findings + [.other(copy)], body)
    }
    defer { store.close() }
    if store.layoutIdentifier == member.layoutIdentifier { return try examine(rest, findings + [.new], body) }
    try store.resume(copy) { revised, digest in
      let isOld = try digest == member.digest && isWhole(copy, member)
      try examine(rest, findings + [isOld ? .old(revised) : .other(copy)], body)
    }
  }

  private func isWhole(_ copy: WorkingCopy, _ member: CommitRecord.Member) throws -> Bool {
    guard copy.hasFile else { return false }
    do {
      let found = try UnopenedStore(ModelConfiguration(url: copy.url), isOnlyRead: true)
      defer { found?.close() }
      return found?.layoutIdentifier == member.layoutIdentifier
    } catch let error as SwiftDataError {
      let reason = (error.details?.underlyingError as? DatabaseError)?.reason
      guard reason == .corrupt || reason == .notADatabase else { throw error }
      return false
    }
  }

  private func finish(_ findings: [Finding]) throws -> [WorkingCopy] {
    var (old, others, hasNew): ([RevisedStore], [WorkingCopy], Bool) = ([], [], false)
    for finding in findings {
      switch finding {
      case .new: hasNew = true
      case .old(let store): old.append(store)
      case .other(let copy): others.append(copy)
      }
    }
    guard findings.count == record.members.count else {
      // The state of the other stores is unknown.
      return old.compactMap(\.copy.file) + others
    }
    guard hasNew || others.isEmpty else {
      Log.store.warning(
        """
        A migration was interrupted before it had changed any of the stores \
        \(record.members.map(\.store).joined(separator: ", ")), and they were saved to since. It starts again.
        """)
      return []
    }
    try old.takePlace()
    return others
  }
}
