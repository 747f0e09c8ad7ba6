import Foundation
import Testing

@testable import SwiftData

// A graph whose history is followed: one-to-many, many-to-many, one-to-one and one-way relationships.

@Model
final class LoggedCity {
  @Attribute(.unique) var code: Int
  var name = ""
  var count = 0
  @Relationship(deleteRule: .cascade, inverse: \LoggedHouse.city) var houses: [LoggedHouse] = []
  @Relationship(inverse: \LoggedPerson.mayorOf) var mayor: LoggedPerson?

  init(_ code: Int) {
    self.code = code
  }
}

@Model
final class LoggedHouse {
  @Attribute(.preserveValueOnDeletion) var number: Int
  var rooms = 1
  var city: LoggedCity?
  @Relationship(inverse: \LoggedPerson.houses) var tenants: [LoggedPerson] = []
  @Relationship(inverse: nil) var neighbour: LoggedHouse?

  init(_ number: Int) {
    self.number = number
  }
}

@Model
final class LoggedPerson {
  var name: String
  var age: Int?
  var houses: [LoggedHouse] = []
  var mayorOf: LoggedCity?
  @Relationship(inverse: nil) var favourites: [LoggedCity] = []

  init(_ name: String) {
    self.name = name
  }
}

/// One property of a row as it is stored.
enum LoggedValue: Equatable, CustomStringConvertible {
  case text(String)
  case links([PersistentIdentifier])

  static func link(_ model: (any PersistentModel)?) -> LoggedValue {
    .links(model.map { [$0.persistentModelID] } ?? [])
  }

  static func links(to models: [any PersistentModel]) -> LoggedValue {
    .links(models.map(\.persistentModelID))
  }

  var description: String {
    switch self {
    case .text(let text): text
    case .links(let identifiers): "\(identifiers.map { "\($0.entityName.dropFirst(6))\($0.primaryKey)" })"
    }
  }
}

/// A model that is read property by property.
protocol LoggedRow: PersistentModel {
  static var readers: [String: @Sendable (Self) -> LoggedValue] { get }
  /// The entities of the rows that a fetch finds.
  static var entityNames: Set<String> { get }
  static func among(_ identifiers: [PersistentIdentifier]) -> Predicate<Self>
}

extension LoggedRow {
  static var entityNames: Set<String> { ["\(Self.self)"] }
}

extension LoggedCity: LoggedRow {
  static let readers: [String: @Sendable (LoggedCity) -> LoggedValue] = [
    "code": { .text("\($0.code)") }, "name": { .text($0.name) }, "count": { .text("\($0.count)") },
    "houses": { .links(to: $0.houses) }, "mayor": { .link($0.mayor) },
  ]

  static func among(_ identifiers: [PersistentIdentifier]) -> Predicate<LoggedCity> {
    #Predicate { identifiers.contains($0.persistentModelID) }
  }
}

extension LoggedHouse: LoggedRow {
  static let readers: [String: @Sendable (LoggedHouse) -> LoggedValue] = [
    "number": { .text("\($0.number)") }, "rooms": { .text("\($0.rooms)") }, "city": { .link($0.city) },
    "tenants": { .links(to: $0.tenants) }, "neighbour": { .link($0.neighbour) },
  ]

  static func among(_ identifiers: [PersistentIdentifier]) -> Predicate<LoggedHouse> {
    #Predicate { identifiers.contains($0.persistentModelID) }
  }
}

extension LoggedPerson: LoggedRow {
  static let readers: [String: @Sendable (LoggedPerson) -> LoggedValue] = [
    "name": { .text($0.name) }, "age": { .text($0.age.map { "\($0)" } ?? "-") },
    "houses": { .links(to: $0.houses) }, "mayorOf": { .link($0.mayorOf) }, "favourites": { .links(to: $0.favourites) },
  ]

  static func among(_ identifiers: [PersistentIdentifier]) -> Predicate<LoggedPerson> {
    #Predicate { identifiers.contains($0.persistentModelID) }
  }
}

struct LoggedMismatch: Error {
  let message: String
}

/// A copy of a store's rows that follows their changes by the history only.
struct LoggedFollower {
  typealias Rows = [PersistentIdentifier: [String: LoggedValue]]

  static let townModels: [any LoggedRow.Type] = [LoggedCity.self, LoggedHouse.self, LoggedPerson.self]

  private let models: [any LoggedRow.Type]

  private(set) var rows: Rows = [:]
  /// The numbers of the transactions read so far.
  private(set) var numbers: [Int64] = []
  private var token: DefaultHistoryToken?
  /// The properties of rows that must be read; all when nil.
  private var pending: [PersistentIdentifier: Set<String>?] = [:]

  init(_ models: [any LoggedRow.Type] = townModels) {
    self.models = models
  }

  /// All rows of a store.
  private func storedRows(of container: ModelContainer) throws -> Rows {
    let context = ModelContext(container)
    var rows: Rows = [:]
    func add<Model: LoggedRow>(_ type: Model.Type) throws {
      for model in try context.fetch(FetchDescriptor<Model>()) {
        rows[model.persistentModelID] = type.readers.mapValues { $0(model) }
      }
    }
    for type in models { try add(type) }
    return rows
  }

  /// Applies the history after the last token, and reads the rows it names. No save may happen meanwhile.
  mutating func follow(_ container: ModelContainer) throws {
    try readTransactions(container)
    let context = ModelContext(container)
    for type in models { try read(type, context) }
    pending = [:]
  }

  /// Reads the history after the last token, and leaves the rows it names to be read later.
  mutating func readTransactions(_ container: ModelContainer) throws {
    for transaction in try container.logged(after: token) {
      if let token, transaction.token <= token { throw LoggedMismatch(message: "\(transaction.token) comes again") }
      token = transaction.token
      numbers.append(transaction.transactionIdentifier)
      if transaction.changes.isEmpty { throw LoggedMismatch(message: "a transaction without changes") }
      expectOrder(transaction)
      for change in transaction.logged {
        let isKnown = rows[change.identifier] != nil
        if isKnown == (change.kind == .insert) {
          throw LoggedMismatch(message: "\(change) of a row that is there: \(isKnown)")
        }
        switch change.kind {
        case .insert:
          rows[change.identifier] = [:]
          pending[change.identifier] = .some(nil)
        case .update:
          if change.properties.isEmpty { throw LoggedMismatch(message: "\(change) of nothing") }
          if let known = pending[change.identifier] {
            if let known { pending[change.identifier] = known.union(change.properties) }
          } else {
            pending[change.identifier] = change.properties
          }
        case .delete:
          rows[change.identifier] = nil
          pending[change.identifier] = nil
        }
      }
    }
  }

  private mutating func read<Model: LoggedRow>(_ type: Model.Type, _ context: ModelContext) throws {
    let identifiers = pending.keys.filter { type.entityNames.contains($0.entityName) }
    if identifiers.isEmpty { return }
    let models = try context.fetch(FetchDescriptor<Model>(predicate: type.among(identifiers)))
    if models.count != identifiers.count {
      throw LoggedMismatch(message: "\(identifiers.count - models.count) rows of \(type) are not there")
    }
    for model in models {
      let identifier = model.persistentModelID
      let names = pending[identifier].flatMap { $0 } ?? Set(type.readers.keys)
      for name in names {
        guard let reader = type.readers[name] else { throw LoggedMismatch(message: "\(type).\(name) is not known") }
        rows[identifier]?[name] = reader(model)
      }
    }
  }

  /// Deletes the history that was read.
  func trim(_ container: ModelContainer) throws {
    guard let token else { return }
    try ModelContext(container).deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= token }))
  }

  /// Throws if the follower's rows differ from the store.
  func check(_ container: ModelContainer) throws {
    let stored = try storedRows(of: container)
    if stored == rows { return }
    var complaints: [String] = []
    for identifier in Set(stored.keys).union(rows.keys).sorted() {
      let (mine, theirs) = (rows[identifier], stored[identifier])
      if mine == theirs { continue }
      let name = "\(identifier.entityName) \(identifier.primaryKey)"
      guard let mine, let theirs else {
        complaints.append("\(name) is \(mine == nil ? "missing" : "left over")")
        continue
      }
      for (property, value) in theirs where mine[property] != value {
        complaints.append("\(name).\(property) is \(value), not \(mine[property].map { "\($0)" } ?? "nothing")")
      }
    }
    throw LoggedMismatch(message: complaints.sorted().joined(separator: "; "))
  }
}
