import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum Residue {
  struct ResidueSpot: Codable, Hashable {
    var x: Int
    var y: Int
  }

  @Model
  final class ResidueItem {
    var number: Int
    var label: String
    var spot: ResidueSpot
    var owner: ResidueOwner?

    init(_ number: Int) {
      self.number = number
      label = "label \(number % 4)"
      spot = ResidueSpot(x: number % 3, y: 0)
    }
  }

  @Model
  final class ResidueOwner {
    var name: String
    @Relationship(inverse: \ResidueItem.owner) var items: [ResidueItem] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

@Suite("Fetches that are partly evaluated in memory")
struct ResidueTests {
  typealias Item = Residue.ResidueItem
  typealias Owner = Residue.ResidueOwner
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try makeContainer(Item.self, Owner.self)
    context = ModelContext(container)
    let owners = [Owner("a"), Owner("b")]
    for number in 0..<60 {
      let item = Item(number)
      context.insert(item)
      item.owner = owners[number % 2]
    }
    try context.save()
  }

  private static func descriptor(_ limit: Int?, _ offset: Int?) -> FetchDescriptor<Item> {
    let spot = Residue.ResidueSpot(x: 1, y: 0)
    var descriptor = FetchDescriptor<Item>(
      predicate: #Predicate { $0.number > 3 && $0.spot == spot }, sortBy: [SortDescriptor(\.number, order: .reverse)])
    descriptor.fetchLimit = limit
    descriptor.fetchOffset = offset
    return descriptor
  }

  private static let saved = (4..<60).filter { $0 % 3 == 1 }.reversed() as [Int]

  private func cut(_ numbers: [Int], _ limit: Int?, _ offset: Int?) -> [Int] {
    let rest = numbers.dropFirst(offset ?? 0)
    return Array(limit.map { rest.prefix($0 == 0 ? .max : $0) } ?? rest)
  }

  @Test(
    "Fetches, counts, identifiers, sums and enumerations agree, with and without pending changes",
    arguments: [(nil, nil), (3, 1), (0, nil), (nil, 5), (100, 100)] as [(Int?, Int?)], [true, false])
  func agreement(page: (Int?, Int?), isPartial: Bool) throws {
    let (limit, offset) = page
    var descriptor = Self.descriptor(limit, offset)
    if isPartial { descriptor.propertiesToFetch = [\.number] }
    descriptor.relationshipKeyPathsForPrefetching = [\.owner]
    for hasPending in [false, true] {
      let context = ModelContext(container)
      context.autosaveEnabled = false
      if hasPending {
        let changed = FetchDescriptor<Item>(predicate: #Predicate { $0.number == 58 || $0.number == 55 })
        for item in try context.fetch(changed) {
          item.number += 1000
        }
        context.insert(Item(61))
        if let gone = try context.fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.number == 52 })).first {
          context.delete(gone)
        }
      }
      for includes in [true, false] {
        descriptor.includePendingChanges = includes
        let all =
          hasPending && includes
          ? ([1058, 1055, 61] + Self.saved.filter { ![58, 55, 52].contains($0) }) : Self.saved
        let expected = cut(all, limit, offset)
        let models = try context.fetch(descriptor)
        // Models keep their pending changes, even when the fetch excludes them.
        let shown = expected.map { hasPending && !includes && [58, 55].contains($0) ? $0 + 1000 : $0 }
        #expect(models.map(\.number) == shown, "\(hasPending) \(includes)")
        #expect(try context.fetchCount(descriptor) == expected.count)
        #expect(try context.fetchIdentifiers(descriptor) == models.map(\.persistentModelID))
        #expect(try context.fetchAggregates(.sum(of: \.number), matching: descriptor) == expected.reduce(0, +))
        if !(hasPending && includes) {
          var visited: [Int] = []
          try context.enumerate(descriptor, batchSize: 4, allowEscapingMutations: true) { visited.append($0.number) }
          #expect(visited == shown)
        }
      }
    }
  }

  @Test("An enumeration's block may fetch and enumerate with the same descriptor", arguments: [true, false])
  func reentrance(isSorted: Bool) throws {
    var descriptor = FetchDescriptor<Item>(predicate: #Predicate { $0.number < 20 })
    if isSorted { descriptor.sortBy = [SortDescriptor(\.number)] }
    var pairs = 0
    var visited: [Int] = []
    try context.enumerate(descriptor, batchSize: 3) { outer in
      visited.append(outer.number)
      #expect(try context.fetch(descriptor).map(\.number) == Array(0..<20))
      #expect(try context.fetchCount(descriptor) == 20)
      try context.enumerate(descriptor, batchSize: 7) { _ in pairs += 1 }
    }
    #expect(visited == Array(0..<20))
    #expect(pairs == 400)
  }

  @Test("One predicate works with captured nil, values, NaN, empty texts and empty collections in turn")
  func captured() throws {
    let all = try context.fetch(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.number)]))
    for item in all.prefix(5) { item.owner = nil }
    try context.save()
    func check(_ predicate: Predicate<Item>) throws {
      let expected = try all.filter { try predicate.evaluate($0) }.map(\.number)
      let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)]))
      #expect(found.map(\.number) == expected)
    }
    for _ in 0..<3 {
      for name in ["a", nil, "", "b", "K", "a"] as [String?] {
        try check(#Predicate { $0.owner?.name == name })
        try check(#Predicate { $0.owner?.name != name })
      }
      for limit in [5.5, .nan, 0, -0.0, .infinity, 7] as [Double] {
        let whole = limit.isFinite ? Int(limit) : 3
        try check(#Predicate { $0.number < whole })
      }
      for words in [[], ["label 1"], ["label 1", "label 2"], []] as [[String]] {
        try check(#Predicate { words.contains($0.label) })
      }
      for text in ["label", "", "1", "el 2"] {
        try check(#Predicate { $0.label.contains(text) })
        try check(#Predicate { $0.label.starts(with: text) })
      }
      for flag in [true, false, true] { try check(#Predicate { ($0.number > 10) == flag }) }
    }
  }
}
