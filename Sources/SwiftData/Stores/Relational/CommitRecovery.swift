import Foundation
import Relational

/// Finishes what ended programs have begun with several stores: see `CommitRecord`.
struct CommitRecovery {
  private let record: CommitRecord
  /// That of the configuration that is about to be opened.
  private let busyTimeout: Duration

  /// Whether something of these stores has to be finished, or is being finished by somebody.
  static func isNeeded(_ configurations: [ModelConfiguration]) throws -> Bool {
    try copies(configurations).contains { _, copy in try CommitRecord.committed(beside: copy) != nil }
  }

  /// Finishes what has to be, or waits for whoever does.
  ///
  /// - Parameter configurations: Those of stores that are about to be opened. Of these, those that are only read have
  ///   nothing done to them.
  /// - Throws: Why it could not be finished now.
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
    configurations.filter { $0.allowsSave && !$0.isStoredInMemoryOnly }.flatMap { configuration in
      WorkingCopy.all(of: configuration.url).map { (configuration, $0) }
    }
  }

  private func run(until deadline: ContinuousClock.Instant) throws {
    guard let first = record.copies.first, try first.take(until: deadline) else { return }
    // Somebody else may have finished it.
    guard try CommitRecord(beside: first) == record else { return }
    let members = try confirmed(first, until: deadline)
    let kept = try settle(members)
    for copy in kept {
      let place = try copy.keep()
      Log.store.error(
        """
        The store \(copy.store.path) stays as it is, and others that were to change with it may have changed: it was \
        saved to after a migration had been cut off, or its copy is damaged, or that of another one is gone. What the \
        migration has made of it is in \(place.path). Remove that folder when you do not need it.
        """)
    }
    try CommitRecord.remove(beside: first)
    for (_, copy) in members { copy.remove() }
  }

  /// The members beside whose copies the record lies too, with their copies, which are locked.
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
    /// The copy has taken the place of the store, whatever was saved since.
    case new
    case old(RevisedStore)
    /// Something else was saved, or the copy is of no use.
    case other(WorkingCopy)
  }

  /// - Returns: The copies that do not take the place of their stores, though others have.
  private func settle(_ members: [(CommitRecord.Member, WorkingCopy)]) throws -> [WorkingCopy] {
    while true {
      do {
        var kept: [WorkingCopy] = []
        try examine(members[...], []) { kept = try finish($0) }
        return kept
      } catch is UnopenedStore.Overtaken {
        continue
      }
    }
  }

  /// Calls `body` with what is found of each store, while nobody can save to those that are old.
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
      // Of the rest nobody knows what has become.
      return old.map(\.copy) + others
    }
    guard hasNew || others.isEmpty else {
      Log.store.warning(
        """
        A migration was cut off before it had changed any of the stores \
        \(record.members.map(\.store).joined(separator: ", ")), and somebody has saved to them. It begins again.
        """)
      return []
    }
    try old.takePlace()
    return others
  }
}
