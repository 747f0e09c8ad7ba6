import Testing

@testable import SwiftData

/// A change as tests expect it: without the store's numbers, and with properties by name.
struct LoggedChange: Hashable, CustomStringConvertible {
  enum Kind: Int, Comparable {
    case insert, update, delete

    static func < (lhs: Kind, rhs: Kind) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  let kind: Kind
  let identifier: PersistentIdentifier
  var properties: Set<String> = []

  var description: String {
    "\(kind) \(identifier.entityName) \(identifier.primaryKey) \(properties.sorted())"
  }

  static func insert(_ model: any PersistentModel) -> LoggedChange {
    LoggedChange(kind: .insert, identifier: model.persistentModelID)
  }

  static func update(_ model: any PersistentModel, _ properties: String...) -> LoggedChange {
    LoggedChange(kind: .update, identifier: model.persistentModelID, properties: Set(properties))
  }

  static func update(_ identifier: PersistentIdentifier, _ properties: String...) -> LoggedChange {
    LoggedChange(kind: .update, identifier: identifier, properties: Set(properties))
  }

  static func delete(_ identifier: PersistentIdentifier) -> LoggedChange {
    LoggedChange(kind: .delete, identifier: identifier)
  }
}

extension LoggedChange {
  init(_ change: HistoryChange) {
    switch change {
    case .insert: self.init(kind: .insert, identifier: change.changedPersistentIdentifier)
    case .update(let update):
      self.init(kind: .update, identifier: change.changedPersistentIdentifier, properties: Self.names(update))
    case .delete: self.init(kind: .delete, identifier: change.changedPersistentIdentifier)
    }
  }

  private static func names<Update: HistoryUpdate>(_ update: Update) -> Set<String> {
    let runtime = ModelRuntime.of(Update.Model.self)
    return Set(
      update.updatedAttributes.map { keyPath in
        KeyPathResolution.propertyIndex(keyPath, runtime).map { runtime.properties[$0].name } ?? "\(keyPath)"
      })
  }

  /// The class of a change, the transaction that it names, and its own number.
  struct Origin {
    var model: String
    var transaction: Int64?
    var number: Int64?
  }

  static func origin(_ change: HistoryChange) -> Origin {
    switch change {
    case .insert(let insert): origin(of: insert)
    case .update(let update): origin(of: update)
    case .delete(let deletion): origin(of: deletion)
    }
  }

  private static func origin<Insert: HistoryInsert>(of insert: Insert) -> Origin {
    Origin(
      model: String(describing: Insert.Model.self), transaction: insert.transactionIdentifier as? Int64,
      number: insert.changeIdentifier as? Int64)
  }

  private static func origin<Update: HistoryUpdate>(of update: Update) -> Origin {
    Origin(
      model: String(describing: Update.Model.self), transaction: update.transactionIdentifier as? Int64,
      number: update.changeIdentifier as? Int64)
  }

  private static func origin<Deletion: HistoryDelete>(of deletion: Deletion) -> Origin {
    Origin(
      model: String(describing: Deletion.Model.self), transaction: deletion.transactionIdentifier as? Int64,
      number: deletion.changeIdentifier as? Int64)
  }
}

extension DefaultHistoryTransaction {
  var logged: [LoggedChange] { changes.map(LoggedChange.init) }
}

/// Expects that a transaction consists of certain changes, in any order, and that their order follows the rules: insertions,
/// updates, deletions; each kind by entity, and the rows of an entity by their keys.
func expectChanges(
  _ transaction: DefaultHistoryTransaction?, _ expected: [LoggedChange],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let found = transaction?.logged ?? []
  #expect(
    found.map(\.description).sorted() == expected.map(\.description).sorted(), sourceLocation: sourceLocation)
  if let transaction { expectOrder(transaction, sourceLocation: sourceLocation) }
}

func expectOrder(_ transaction: DefaultHistoryTransaction, sourceLocation: SourceLocation = #_sourceLocation) {
  let found = transaction.logged
  #expect(
    Set(found.map(\.identifier)).count == found.count, "a row occurs twice: \(found)", sourceLocation: sourceLocation)
  var descents: [String: Int] = [:]
  for (change, next) in zip(found, found.dropFirst()) {
    #expect(change.kind <= next.kind, "\(change) before \(next)", sourceLocation: sourceLocation)
    guard change.kind == next.kind, change.identifier.entityName == next.identifier.entityName else { continue }
    if change.identifier < next.identifier { continue }
    descents["\(change.kind) \(change.identifier.entityName)", default: 0] += 1
    // Restored rows come after new ones.
    let isAllowed = change.kind == .insert && descents["\(change.kind) \(change.identifier.entityName)"] == 1
    #expect(isAllowed, "\(change) before \(next)", sourceLocation: sourceLocation)
  }
  var places: [String] = []
  for change in found {
    let place = "\(change.kind) \(change.identifier.entityName)"
    if places.last != place { places.append(place) }
  }
  #expect(Set(places).count == places.count, "\(places)", sourceLocation: sourceLocation)
  var last: Int64?
  for change in transaction.changes {
    let origin = LoggedChange.origin(change)
    #expect(origin.model == change.changedPersistentIdentifier.entityName, sourceLocation: sourceLocation)
    #expect(origin.transaction == transaction.transactionIdentifier, sourceLocation: sourceLocation)
    if let last, let number = origin.number { #expect(number > last, sourceLocation: sourceLocation) }
    last = origin.number
    #expect(last != nil, sourceLocation: sourceLocation)
  }
}
