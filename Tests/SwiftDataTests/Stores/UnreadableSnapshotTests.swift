import Foundation
import Support
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Voucher {
  var name: String
  var amount: Int

  init(_ name: String, _ amount: Int) {
    self.name = name
    self.amount = amount
  }
}

@Suite("Snapshots with an unreadable value")
struct UnreadableSnapshotTests {
  private let configuration = SlipBoxConfiguration()
  private let container: ModelContainer

  init() throws {
    container = try ModelContainer(for: Voucher.self, configurations: configuration)
    let context = ModelContext(container)
    for name in ["a", "b"] { context.insert(Voucher(name, 1)) }
    try context.save()
  }

  private var pile: SlipPile { configuration.pile }

  @Test("A refresh merges another context's save except for an unreadable value")
  func anotherContextSaved() throws {
    let context = ModelContext(container)
    let vouchers = try context.all(Voucher.self, by: \.name)
    let other = ModelContext(container)
    for voucher in try other.fetch(FetchDescriptor<Voucher>()) {
      voucher.name += "!"
      voucher.amount = 2
    }
    try other.save()
    pile.tear(vouchers[0].persistentModelID, true)
    for _ in 0..<2 { try context.save() }
    #expect(vouchers.map(\.name) == ["a!", "b!"])
    #expect(vouchers.map(\.amount) == [1, 2])
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Voucher>()) }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.entity == "Voucher")
    #expect(error?.details?.property == "amount")
    pile.tear(vouchers[0].persistentModelID, false)
    #expect(try context.all(Voucher.self, by: \.name).map(\.amount) == [2, 2])
    #expect(vouchers.map(\.amount) == [2, 2])
  }

  @Test("Reading an unreadable value reports an error, and the next read tries again")
  func unreadableValue() throws {
    let identifier = try #require(try ModelContext(container).all(Voucher.self, by: \.name).first).persistentModelID
    pile.tear(identifier, true)
    let context = ModelContext(container)
    let voucher = try #require(context.model(for: identifier) as? Voucher)
    for _ in 0..<2 {
      _ = voucher.amount
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error?.details?.property == "amount")
    }
    #expect(voucher.name == "a")
    try context.save()
    pile.tear(identifier, false)
    #expect(voucher.amount == 1)
    voucher.amount += 4
    try context.save()
    #expect(try ModelContext(container).all(Voucher.self, by: \.name).map(\.amount) == [5, 1])
  }
}

// MARK: A store whose snapshots can be torn

struct SlipBoxConfiguration: DataStoreConfiguration {
  typealias Store = SlipBox

  var name = "slips"
  var schema: Schema?
  let pile = SlipPile()

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.pile === rhs.pile
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(pile))
  }
}

/// The snapshots of a slip box.
final class SlipPile: Sendable {
  private let slips = Mutex<[PersistentIdentifier: Slip]>([:])

  var all: [Slip] {
    slips.withLock { Array($0.values) }.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
  }

  func put(_ slip: Slip) {
    slips.withLock { $0[slip.persistentIdentifier] = slip }
  }

  /// Makes an amount unreadable, or readable again.
  func tear(_ identifier: PersistentIdentifier, _ isTorn: Bool) {
    slips.withLock { slips in
      guard var slip = slips[identifier] else { return }
      slip.isTorn = isTorn
      slips[identifier] = slip
    }
  }
}

struct Slip: DataStoreSnapshot {
  var persistentIdentifier: PersistentIdentifier
  var name: String
  var amount: Int
  var isTorn = false

  init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]) {
    guard let identifier = backingData.persistentModelID, let backingData = backingData as? any BackingData<Voucher>
    else { fatalError("A slip is of a voucher that a context knows") }
    persistentIdentifier = identifier
    name = backingData.getValue(forKey: \.name)
    amount = backingData.getValue(forKey: \.amount)
  }

  func copy(
    persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Slip {
    var copy = self
    copy.persistentIdentifier = persistentIdentifier
    return copy
  }

  enum CodingKeys: String, CodingKey {
    case persistentIdentifier, name, amount
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    try container.encode(name, forKey: .modeledProperty("name"))
    if isTorn {
      try container.encode("much", forKey: .modeledProperty("amount"))
    } else {
      try container.encode(amount, forKey: .modeledProperty("amount"))
    }
  }
}

final class SlipBox: DataStore {
  let configuration: SlipBoxConfiguration
  let schema: Schema
  let identifier = "slips"

  init(_ configuration: SlipBoxConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = try #require(configuration.schema)
  }

  func fetch<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Slip> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: configuration.pile.all)
  }

  func save(_ request: DataStoreSaveChangesRequest<Slip>) throws -> DataStoreSaveChangesResult<Slip> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for slip in request.inserted {
      let permanent = try PersistentIdentifier.identifier(
        for: identifier, entityName: "Voucher", primaryKey: configuration.pile.all.count + 1)
      remapped[slip.persistentIdentifier] = permanent
      configuration.pile.put(slip.copy(persistentIdentifier: permanent, remappedIdentifiers: nil))
    }
    for slip in request.updated { configuration.pile.put(slip) }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
