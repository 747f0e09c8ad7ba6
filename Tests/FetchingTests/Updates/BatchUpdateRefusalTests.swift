import FaultyDriver
import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Batch updates that are refused")
struct BatchUpdateRefusalTests {
  private typealias Article = Bulk.Article
  private typealias Rank = Bulk.Rank
  private typealias Shelf = Bulk.Shelf

  private func container() throws -> ModelContainer {
    let container = try Bulk.makeContainer()
    try fill(container)
    return container
  }

  private func fill(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    for index in 0..<5 {
      context.insert(Article("a\(index)", count: index))
      context.insert(Rank(index, group: "g\(index % 2)", name: "n\(index)"))
    }
    try context.save()
  }

  private func names(_ container: ModelContainer) throws -> [String] {
    try container.freshContext().all(Article.self, by: \.count).map(\.name)
  }

  @Test("Properties without a column of their own are refused by name, and nothing is changed")
  func keyPaths() throws {
    let container = try container()
    let context = container.freshContext()
    func refused(_ property: String?, _ changes: @escaping (inout BatchUpdate<Bulk.Article>) -> Void) {
      let error = #expect(throws: SwiftDataError.self) {
        try context.update(Article.self) {
          $0.set(\.name, to: "changed")
          changes(&$0)
        }
      }
      #expect(error == .unsupportedKeyPath)
      if let property { #expect(error?.details?.property == property) }
      #expect(error?.details?.entity == "Article")
      #expect(error?.details?.hint?.isEmpty == false)
    }
    refused("shelf") { $0.set(\.shelf, to: nil) }
    refused("picture") { $0.set(\.picture, to: Data()) }
    refused("scratch") { $0.set(\.scratch, to: 1) }
    refused(nil) { $0.set(\.isOpen, to: true) }
    refused("size.width") { $0.set(\.size.width, to: 1) }
    let error = #expect(throws: SwiftDataError.self) { try context.update(Shelf.self) { $0.set(\.articles, to: []) } }
    #expect(error == .unsupportedKeyPath)
    #expect(try names(container) == ["a0", "a1", "a2", "a3", "a4"])
  }

  @Test("Integer overflow and division by zero are refused before anything changes")
  func overflow() throws {
    let container = try container()
    let context = container.freshContext()
    let (large, zero) = (Int.max, 0)
    func refused(_ changes: @escaping (inout BatchUpdate<Bulk.Article>) -> Void) throws {
      let error = #expect(throws: SwiftDataError.self) {
        try context.update(Article.self) {
          $0.set(\.name, to: "changed")
          changes(&$0)
        }
      }
      #expect(error == .unsupportedPredicate)
      #expect(error?.details?.persistentIdentifiers.count == 1)
      #expect(try names(container) == ["a0", "a1", "a2", "a3", "a4"])
    }
    try refused { $0.set(\.count, to: #Expression<Bulk.Article, Int> { $0.count + large }) }
    try refused { $0.set(\.count, to: #Expression<Bulk.Article, Int> { ($0.count + large) / 2 }) }
    try refused { $0.set(\.count, to: #Expression<Bulk.Article, Int> { $0.count / zero }) }
    try refused { $0.set(\.count, to: #Expression<Bulk.Article, Int> { 7 % $0.count }) }
    try context.update(Article.self) { $0.set(\.tiny, to: 127) }
    try refused { $0.set(\.tiny, to: #Expression<Bulk.Article, Int8> { $0.tiny + 1 }) }
  }

  @Test("Arithmetic that SQL cannot compute as Swift does is refused")
  func untranslatable() throws {
    let container = try container()
    let context = container.freshContext()
    func refused(_ changes: @escaping (inout BatchUpdate<Bulk.Article>) -> Void) {
      let error = #expect(throws: SwiftDataError.self) { try context.update(Article.self, changes) }
      #expect(error == .unsupportedPredicate)
      #expect(error?.details?.property != nil)
    }
    refused { $0.set(\.wide, to: #Expression<Bulk.Article, UInt64> { $0.wide + 1 }) }
    refused { $0.set(\.count, to: #Expression<Bulk.Article, Int> { ($0.count * 3) % 10 }) }
    refused { $0.set(\.size, to: #Expression<Bulk.Article, Bulk.Size> { $0.size }) }
    refused { $0.set(\.labels, to: #Expression<Bulk.Article, [String]> { $0.labels }) }
    refused { $0.set(\.count, to: #Expression<Bulk.Article, Int> { $0.doubled }) }
  }

  @Test("Repeated unique values are refused, and no row changes")
  func uniqueness() throws {
    let container = try container()
    let context = container.freshContext()
    func places() throws -> [Int] { try container.freshContext().all(Rank.self, by: \.name).map(\.place) }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Rank.self) { $0.set(\.place, to: 7) }
    }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Rank.self) { $0.set(\.place, to: #Expression<Bulk.Rank, Int> { $0.place / 2 }) }
    }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Rank.self, where: #Predicate { $0.place > 2 }) {
        $0.set(\.place, to: #Expression<Bulk.Rank, Int> { $0.place - 1 })
      }
    }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Rank.self) {
        $0.set(\.group, to: "one")
        $0.set(\.name, to: "one")
      }
    }
    #expect(try places() == [0, 1, 2, 3, 4])
    #expect(!context.hasChanges)
  }

  @Test("Unique values may be exchanged, in any order of the rows", arguments: [1, -1])
  func moving(step: Int) throws {
    let container = try container()
    let context = container.freshContext()
    let ranks = try context.all(Rank.self, by: \.place)
    #expect(
      try context.update(Rank.self) {
        $0.set(\.place, to: #Expression<Bulk.Rank, Int> { $0.place + step })
        $0.set(\.group, to: "moved")
      } == 5)
    #expect(ranks.map(\.place) == [0, 1, 2, 3, 4].map { $0 + step })
    try context.update(Rank.self) { $0.set(\.place, to: #Expression<Bulk.Rank, Int> { 4 - $0.place }) }
    #expect(ranks.map(\.place) == [4, 3, 2, 1, 0].map { $0 - step })
    #expect(ranks.allSatisfy { $0.group == "moved" })
    #expect(try container.freshContext().all(Rank.self, by: \.name).map(\.place) == ranks.map(\.place))
  }

  @Test("A value that cannot be encoded is refused")
  func encoding() throws {
    let container = try makeContainer(BulkSealed.self)
    let context = container.freshContext()
    context.insert(BulkSealed())
    try context.save()
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(BulkSealed.self) { $0.set(\.seal, to: BulkSealed.Seal(isBroken: true)) }
    }
    #expect(try context.update(BulkSealed.self) { $0.set(\.seal, to: BulkSealed.Seal(isBroken: false)) } == 1)
  }

  @Test("Read-only stores and custom stores refuse batch updates")
  func stores() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("bulk.store")
    try fill(try Bulk.makeContainer(at: url))
    let readOnly = try ModelContainer(
      for: Schema([Article.self, Bulk.Device.self, Shelf.self, Rank.self]),
      configurations: ModelConfiguration(url: url, allowsSave: false))
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try ModelContext(readOnly).update(Rank.self) { $0.set(\.name, to: "x") }
    }
    let custom = try ModelContainer(
      for: Author.self, Book.self, Tag.self, configurations: ArchiveConfiguration(url: folder.file("a.json")))
    #expect(throws: DataStoreError.unsupportedFeature) {
      try ModelContext(custom).update(Author.self) { $0.set(\.name, to: "x") }
    }
  }

  @Test("An error of the closure is rethrown, and nothing is changed")
  func closure() throws {
    struct Stop: Error {}
    let container = try container()
    #expect(throws: Stop.self) {
      try container.freshContext().update(Article.self) {
        $0.set(\.name, to: "x")
        throw Stop()
      }
    }
    #expect(try names(container).first == "a0")
  }

  @Test("When a database call fails, a batch update changes all rows or none", arguments: [false, true])
  func failingCalls(isMoving: Bool) throws {
    let faults = CallFailures()
    let container = try DatabaseInterception.$wrap.withValue(faults.wrap) { try self.container() }
    let context = container.freshContext()
    let ranks = try context.all(Rank.self, by: \.place)
    var failures = 0
    for call in 0..<200 {
      let before = ranks.map(\.place)
      faults.fail(call...call, with: .diskFull)
      let result = Result {
        try context.update(Rank.self) {
          if isMoving {
            $0.set(\.place, to: #Expression<Bulk.Rank, Int> { $0.place + 1 })
          } else {
            $0.set(\.group, to: #Expression<Bulk.Rank, String> { $0.name })
          }
        }
      }
      let isReached = faults.stop() > 0
      let places = try container.freshContext().all(Rank.self, by: \.place).map(\.place)
      switch result {
      case .success where isMoving: #expect(places == before.map { $0 + 1 })
      case .success: #expect(try container.freshContext().fetchCount(FetchDescriptor<Rank>()) == 5)
      case .failure(let error):
        failures += 1
        #expect(error as? SwiftDataError == .storeFailure, "\(error)")
        #expect(places == before)
      }
      context.processPendingChanges()
      #expect(ranks.map(\.place) == places)
      if !isReached { break }
    }
    #expect(failures > 3)
  }

  @Test("Concurrent batch updates of many contexts lose nothing")
  func concurrency() async throws {
    let folder = try TemporaryFolder()
    let container = try Bulk.makeContainer(at: folder.file("bulk.store"))
    try fill(container)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let context = ModelContext(container)
          for _ in 0..<25 {
            try context.update(Bulk.Article.self) {
              $0.set(\.count, to: #Expression<Bulk.Article, Int> { $0.count + 1 })
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try container.freshContext().all(Article.self, by: \.name).map(\.count) == [100, 101, 102, 103, 104])
  }

  @Test("Unique values are updated in a database whose transactions end when a statement fails")
  func austere() throws {
    let container = try DatabaseInterception.$wrap.withValue(AustereDatabase.wrap) { try self.container() }
    let context = container.freshContext()
    try context.update(Rank.self) { $0.set(\.place, to: #Expression<Bulk.Rank, Int> { $0.place + 1 }) }
    #expect(try container.freshContext().all(Rank.self, by: \.place).map(\.place) == [1, 2, 3, 4, 5])
  }
}

@Model
final class BulkSealed {
  struct Seal: Codable, Hashable {
    struct Broken: Error {}

    var isBroken: Bool

    init(isBroken: Bool) {
      self.isBroken = isBroken
    }

    init(from decoder: any Decoder) throws {
      isBroken = try decoder.singleValueContainer().decode(Bool.self)
    }

    func encode(to encoder: any Encoder) throws {
      if isBroken { throw Broken() }
      var container = encoder.singleValueContainer()
      try container.encode(isBroken)
    }
  }

  var seal = Seal(isBroken: false)

  init() {}
}
