import Foundation
import Relational

/// Makes transactions from rows of the history.
final class HistoryReader {
  private let store: RelationalStore
  private let connection: any Connection
  private var lastKeys: [String: Int64] = [:]
  private lazy var tombstones = TombstoneReader(store)
  private let recorded: RecordedProperties

  init(_ store: RelationalStore, _ connection: any Connection) throws {
    self.store = store
    self.connection = connection
    recorded = RecordedProperties(try StoreMetadata.historyRevisions(connection, store.database.dialect))
  }

  /// The transaction in the current row of a statement with the columns of the table.
  ///
  /// - Throws: `storeFailure` for a damaged one, or an error of the database.
  func transaction(_ row: Statement) throws -> DefaultHistoryTransaction {
    let number = row.integer(0)
    do {
      guard number > 0 else { throw PackedReader.Damage() }
      return try transaction(number, row)
    } catch is PackedReader.Damage {
      throw SwiftDataError.storeFailure(
        .reading, store: store.name, reason: .corrupt,
        message: "transaction \(number) of the history is damaged",
        hint: "Remove the transaction with deleteHistory.")
    }
  }

  private func transaction(_ number: Int64, _ row: Statement) throws -> DefaultHistoryTransaction {
    let record = try row.withBlob(5) { try HistoryRecord(reading: $0, lastKey: lastKey(of:)) }
    var changes: [HistoryChange] = []
    changes.reserveCapacity(record.groups.reduce(0) { $0 + $1.keys.count })
    var position: Int64 = 0
    var rest = record.groups[...]
    while let first = rest.first {
      // Updates of one entity with different properties.
      let updates = rest.prefix { first.kind == .update && $0.kind == .update && $0.entity == first.entity }
      let groups = rest.prefix(max(1, updates.count))
      rest = rest.dropFirst(groups.count)
      defer { position += Int64(groups.reduce(0) { $0 + $1.count }) }
      // A change of an entity that the schema lacks has no type.
      guard let layout = store.layout.layout(named: first.entity) else { continue }
      switch first.kind {
      case .insert, .revival: append(insertions: first, layout, number, position, layout.runtime.type, to: &changes)
      case .update: append(updates: groups, layout, number, position, layout.runtime.type, to: &changes)
      case .delete: try append(deletions: first, layout, number, position, layout.runtime.type, to: &changes)
      }
    }
    return DefaultHistoryTransaction(
      timestamp: Date(timeIntervalSinceReferenceDate: row.real(1)), changes: changes,
      token: DefaultHistoryToken(store: store.identifier.string, number: number), transactionIdentifier: number,
      storeIdentifier: store.identifier.string, bundleIdentifier: row.text(4), processIdentifier: row.text(3),
      author: row.textIfPresent(2))
  }

  /// The last key that a row of an entity has had, as far as the store knows; nil for an entity that it lacks.
  private func lastKey(of entity: String) throws -> Int64? {
    guard let layout = store.layout.layout(named: entity) else { return nil }
    if let last = lastKeys[layout.table] { return last }
    var last: Int64 = 0
    try connection.forEachRow(
      store.shapes.lastKey(of: layout.table), [.integer(RowIdentity.lastNumber), .text(layout.table)]
    ) { last = max(last, $0.integer(0), $0.integer(1)) }
    lastKeys[layout.table] = last
    return last
  }

  private func append<Model: PersistentModel>(
    insertions group: HistoryRecord.Group, _ layout: EntityLayout, _ number: Int64, _ position: Int64,
    _ type: Model.Type, to changes: inout [HistoryChange]
  ) {
    for (index, key) in group.keys.enumerated() {
      changes.append(
        .insert(
          DefaultHistoryInsert<Model>(
            changeIdentifier: DefaultHistoryTransaction.changeIdentifier(number, position + Int64(index)),
            transactionIdentifier: number, changedPersistentIdentifier: identifier(key, layout))))
    }
  }

  private func append<Model: PersistentModel>(
    updates groups: ArraySlice<HistoryRecord.Group>, _ layout: EntityLayout, _ number: Int64, _ position: Int64,
    _ type: Model.Type, to changes: inout [HistoryChange]
  ) {
    var updates: [(key: Int64, keyPaths: [any PartialKeyPath<Model> & Sendable])] = []
    for group in groups {
      let names = group.properties.compactMap { recorded.name(of: $0, in: group.entity, number) }
      let keyPaths = Self.keyPaths(names, layout, Model.self)
      updates += group.keys.map { ($0, keyPaths) }
    }
    if groups.count > 1 { updates.sort { $0.key < $1.key } }
    for (index, update) in updates.enumerated() {
      changes.append(
        .update(
          DefaultHistoryUpdate<Model>(
            changeIdentifier: DefaultHistoryTransaction.changeIdentifier(number, position + Int64(index)),
            transactionIdentifier: number, changedPersistentIdentifier: identifier(update.key, layout),
            updatedAttributes: update.keyPaths)))
    }
  }

  private func append<Model: PersistentModel>(
    deletions group: HistoryRecord.Group, _ layout: EntityLayout, _ number: Int64, _ position: Int64,
    _ type: Model.Type, to changes: inout [HistoryChange]
  ) throws {
    for (index, key) in group.keys.enumerated() {
      let values =
        try group.tombstones[index].map { try tombstones.values(of: $0, key, layout, in: number, recorded) } ?? []
      changes.append(
        .delete(
          DefaultHistoryDelete<Model>(
            changeIdentifier: DefaultHistoryTransaction.changeIdentifier(number, position + Int64(index)),
            transactionIdentifier: number, changedPersistentIdentifier: identifier(key, layout),
            tombstone: HistoryTombstone(values))))
    }
  }

  private func identifier(_ key: Int64, _ layout: EntityLayout) -> PersistentIdentifier {
    PersistentIdentifier(store: store.identifier, entity: layout.runtime.entityName, key: key)
  }

  /// The key paths of properties by their names, without removed properties.
  private static func keyPaths<Model: PersistentModel>(
    _ names: [String], _ layout: EntityLayout, _ type: Model.Type
  ) -> [any PartialKeyPath<Model> & Sendable] {
    names.compactMap { name in
      layout.property(recordedAs: name).map { layout.runtime.properties[$0.index].keyPath(in: Model.self) }
    }
  }
}

extension EntityLayout {
  /// The property that had a name when a transaction was recorded.
  func property(recordedAs name: String) -> PropertyLayout? {
    if let property = property(named: name) { return property }
    let renamed =
      entity.attributesByName.values.first { $0.originalName == name }?.name
      ?? entity.relationships.first { $0.originalName == name }?.name
    return renamed.flatMap(property(named:))
  }
}
