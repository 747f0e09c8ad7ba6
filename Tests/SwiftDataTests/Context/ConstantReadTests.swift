import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestSupport

/// Its constants are read while the object is made.
@Model final class Charter {
  let code: String
  let year: Int
  var note = "none"
  var town: Borough?
  @Relationship(inverse: nil) var twin: Charter?

  init(_ code: String, _ year: Int) {
    self.code = code
    self.year = year
  }
}

@Model final class Borough {
  var name: String
  @Relationship(inverse: \Charter.town) var charters: [Charter] = []
  @Relationship(inverse: nil) var first: Charter?

  init(_ name: String) {
    self.name = name
  }
}

@Suite("Models with constant properties whose reads fail")
struct ConstantReadTests {
  private let folder: TemporaryFolder
  private let faults = CallFailures()
  private let container: ModelContainer
  private let town: PersistentIdentifier
  private let charters: [PersistentIdentifier]

  init() throws {
    folder = try TemporaryFolder()
    let url = folder.file()
    container = try DatabaseInterception.$wrap.withValue(faults.wrap) {
      try ModelContainer(for: Charter.self, Borough.self, configurations: ModelConfiguration(url: url))
    }
    let context = ModelContext(container)
    let town = Borough("York")
    town.charters = [Charter("a", 1201), Charter("b", 1202), Charter("c", 1203)]
    town.first = town.charters[0]
    town.charters[1].twin = town.charters[2]
    context.insert(town)
    try context.save()
    self.town = town.persistentModelID
    charters = town.charters.map(\.persistentModelID)
  }

  /// All stored rows as texts.
  private func stored() throws -> [String] {
    let context = ModelContext(container)
    let charters = try context.fetch(FetchDescriptor<Charter>(sortBy: [SortDescriptor(\.year)])).map { charter in
      "\(charter.code) \(charter.year) \(charter.note) \(charter.town?.name ?? "-") \(charter.twin?.code ?? "-")"
    }
    let towns = try context.fetch(FetchDescriptor<Borough>()).map { town in
      "\(town.name) \(town.charters.map(\.code)) \(town.first?.code ?? "-")"
    }
    return charters + towns
  }

  private static let filled = [
    "a 1201 none York -", "b 1202 none York c", "c 1203 none York -", "York [\"a\", \"b\", \"c\"] a",
  ]

  private struct Lookup {
    let context: ModelContext
    let town: PersistentIdentifier
    let charters: [PersistentIdentifier]

    func findBorough() throws -> Borough { try #require(context.model(for: town) as? Borough) }
    func charter(_ index: Int) throws -> Charter { try #require(context.model(for: charters[index]) as? Charter) }
  }

  /// Ways to reach models with constants.
  private static let walks: [(name: String, walk: @Sendable (Lookup) throws -> [Charter])] = [
    ("by identifier", { [try $0.charter(1)] }),
    ("by a to-many", { try $0.findBorough().charters }),
    ("by a to-one", { [try $0.findBorough().first].compactMap(\.self) }),
    ("by a to-one of another", { [try $0.charter(1).twin].compactMap(\.self) }),
    ("by a fetch", { try $0.context.fetch(FetchDescriptor<Charter>(sortBy: [SortDescriptor(\.code)])) }),
    ("by a fetch in batches", { Array(try $0.context.fetch(FetchDescriptor<Charter>(), batchSize: 2)) }),
    (
      "by prefetching",
      { lookup in
        var descriptor = FetchDescriptor<Borough>()
        descriptor.relationshipKeyPathsForPrefetching = [\.charters, \.first]
        return try lookup.context.fetch(descriptor).flatMap { $0.charters + [$0.first].compactMap(\.self) }
      }
    ),
  ]

  @Test(
    "A model with constants stands for its row or is detached, and placeholder values are never saved",
    arguments: walks.indices)
  func everyCall(walk: Int) throws {
    let (name, walk) = Self.walks[walk]
    var call = 0
    while true {
      let lookup = Lookup(context: ModelContext(container), town: town, charters: charters)
      faults.fail(call...call, with: .busy)
      let found = (try? walk(lookup)) ?? []
      let hasFailed = faults.stop() > 0
      for charter in found {
        if charter.modelContext != nil {
          #expect(["a 1201", "b 1202", "c 1203"].contains("\(charter.code) \(charter.year)"), "\(name), call \(call)")
        }
        // A detached model records no changes; a persistent one has its committed value again.
        charter.note = "changed"
        charter.note = "none"
      }
      var failureCount = 0
      for _ in 0..<3 {
        do { try lookup.context.save() } catch { failureCount += 1 }
      }
      if failureCount == 0 { #expect(found.allSatisfy { $0.modelContext != nil }) }
      #expect(try stored() == Self.filled, "\(name), call \(call)")
      #expect(!lookup.context.hasChanges)
      let again = try walk(lookup)
      #expect(!again.isEmpty)
      #expect(again.allSatisfy { ["a 1201", "b 1202", "c 1203"].contains("\($0.code) \($0.year)") })
      if !hasFailed { break }
      call += 1
    }
    #expect(call > 0)
  }

  @Test(
    "A detached placeholder for a row that cannot be read is not saved as that row when linked or inserted",
    arguments: [0, 1, 2])
  func linkedPlaceholder(use: Int) throws {
    let lookup = Lookup(context: ModelContext(container), town: town, charters: charters)
    let town = try lookup.findBorough()
    #expect(town.charters.count == 3)
    let other = Lookup(context: ModelContext(container), town: self.town, charters: charters)
    let found = try other.findBorough()
    #expect(found.name == "York")
    faults.failAll()
    let probeValue = try other.charter(1)
    faults.stop()
    #expect(probeValue.modelContext == nil)
    switch use {
    case 0: found.first = probeValue
    case 1: other.context.insert(probeValue)
    default: found.charters.append(probeValue)
    }
    #expect(throws: (any Error).self) { try other.context.save() }
    for _ in 0..<3 { try? other.context.save() }
    let charters = try stored().filter { !$0.hasPrefix("York") }
    #expect(charters == Array(Self.filled.prefix(3)))
  }

  @Test("A failed refresh keeps the values in memory, and a later refresh merges the other context's changes")
  func refreshing() throws {
    let context = ModelContext(container)
    let charters = try context.fetch(FetchDescriptor<Charter>(sortBy: [SortDescriptor(\.code)]))
    let other = ModelContext(container)
    for charter in try other.fetch(FetchDescriptor<Charter>()) { charter.note = "of \(charter.year)" }
    try other.save()
    faults.failAll(with: .interrupted)
    context.processPendingChanges()
    faults.stop()
    #expect(charters.map(\.note) == ["none", "none", "none"])
    try context.save()
    #expect(charters.map(\.note) == ["of 1201", "of 1202", "of 1203"])
    #expect(charters.map(\.code) == ["a", "b", "c"])
    #expect(try stored().first == "a 1201 of 1201 York -")
  }

  @Test("A stored constant that cannot be decoded is neither replaced in the store nor made up in memory")
  func damagedConstant() throws {
    let sql = "SELECT typeof(year) || ' ' || year FROM Charter WHERE code = 'b'"
    try StoreFiles.execute("UPDATE Charter SET year = 'long ago' WHERE code = 'b'", at: folder.file())
    let context = ModelContext(container)
    #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Charter>()) }
    let lookup = Lookup(context: context, town: town, charters: charters)
    for (_, walk) in Self.walks {
      for charter in (try? walk(lookup)) ?? [] where charter.modelContext != nil {
        charter.note = "changed"
        charter.note = "none"
      }
      for _ in 0..<3 { try? context.save() }
      #expect(try StoreFiles.texts(sql, at: folder.file()) == ["text long ago"])
    }
    try StoreFiles.execute("UPDATE Charter SET year = 1202 WHERE code = 'b'", at: folder.file())
    let again = ModelContext(container)
    let charters = try again.fetch(FetchDescriptor<Charter>(sortBy: [SortDescriptor(\.code)]))
    #expect(charters.map(\.year) == [1201, 1202, 1203])
    #expect(try stored() == Self.filled)
  }

  @Test("A context that failed to read a damaged constant reads the true value after its repair")
  func repairedConstant() throws {
    try StoreFiles.execute("UPDATE Charter SET year = 'long ago' WHERE code = 'b'", at: folder.file())
    let context = ModelContext(container)
    let lookup = Lookup(context: context, town: town, charters: charters)
    let held = Self.walks.flatMap { (try? $0.walk(lookup)) ?? [] }
    try? context.save()
    try StoreFiles.execute("UPDATE Charter SET year = 1202 WHERE code = 'b'", at: folder.file())
    let charters = try context.fetch(FetchDescriptor<Charter>(sortBy: [SortDescriptor(\.code)]))
    #expect(charters.map(\.year) == [1201, 1202, 1203])
    withExtendedLifetime(held) {}
  }

  @Test("A custom store that cannot be read leads to no saved placeholder constants", arguments: [true, false])
  func customStore(isTouchedFirst: Bool) throws {
    let configuration = UnreliableConfiguration()
    let ledger = configuration.ledger
    let container = try ModelContainer(for: Charter.self, Borough.self, configurations: configuration)
    let filling = ModelContext(container)
    let town = Borough("York")
    town.charters = [Charter("a", 1201), Charter("b", 1202)]
    filling.insert(town)
    try filling.save()
    let written = ledger.written
    let context = ModelContext(container)
    let lookup = Lookup(
      context: context, town: town.persistentModelID, charters: town.charters.map(\.persistentModelID))
    let found = try lookup.findBorough()
    if isTouchedFirst { #expect(found.name == "York") }
    ledger.edit { $0.failsToRead = true }
    let members = found.charters
    let probeValue = try lookup.charter(0)
    for charter in members + [probeValue] { charter.note = "changed" }
    for _ in 0..<3 { try? context.save() }
    ledger.edit { $0.failsToRead = false }
    for _ in 0..<3 { try? context.save() }
    #expect(ledger.written == written)
    #expect(found.charters.map(\.year).sorted() == [1201, 1202])
    for charter in found.charters { charter.note = "changed" }
    try context.save()
    let stored = try ModelContext(container).fetch(FetchDescriptor<Charter>(sortBy: [SortDescriptor(\.year)]))
    #expect(stored.map { "\($0.code) \($0.year) \($0.note)" } == ["a 1201 changed", "b 1202 changed"])
  }
}
