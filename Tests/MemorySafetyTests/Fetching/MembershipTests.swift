import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Membership in captured collections of any size")
struct MembershipTests {
  private let context: ModelContext
  private let parcels: [Parcel]

  init() throws {
    let container = try ModelContainer(
      for: Parcel.self, Sender.self, Stamp.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    for number in 0..<8 { context.insert(Parcel("label \(number)", weight: number)) }
    try context.save()
    parcels = try context.fetch(FetchDescriptor<Parcel>())
    context.allowsInMemoryEvaluation = false
  }

  /// Expects the parcels from the third on, for as many elements as there are.
  private func expect(_ size: Int, _ predicate: Predicate<Parcel>) throws {
    let expected = Array(parcels.dropFirst(2).prefix(size))
    #expect(try context.fetch(FetchDescriptor(predicate: predicate)) == expected)
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count)
  }

  @Test(
    "A predicate can test membership in a captured collection of any size and type", arguments: [0, 1, 1_000, 100_000],
    [true, false])
  func membership(size: Int, isSet: Bool) throws {
    let numbers = Array(2..<(2 + size))
    let labels = numbers.map { "label \($0)" }
    let first = parcels[0].persistentModelID.id
    let identifiers = numbers.map {
      PersistentIdentifier(store: first.store, entity: first.entity, key: first.key + Int64($0))
    }
    if isSet {
      let (numbers, labels, identifiers) = (Set(numbers), Set(labels), Set(identifiers))
      try expect(size, #Predicate { numbers.contains($0.weight) })
      try expect(size, #Predicate { labels.contains($0.label) })
      try expect(size, #Predicate { identifiers.contains($0.persistentModelID) })
    } else {
      try expect(size, #Predicate { numbers.contains($0.weight) })
      try expect(size, #Predicate { labels.contains($0.label) })
      try expect(size, #Predicate { identifiers.contains($0.persistentModelID) })
    }
    let without = #Predicate<Parcel> { !numbers.contains($0.weight) }
    #expect(try context.fetchCount(FetchDescriptor(predicate: without)) == parcels.count - min(size, 6))
  }
}
