import Foundation
import SwiftData
import Workload

/// Fetches the items that have one of many captured values.
final class SearchCaptured: Work {
  private let store: ItemStore
  private let predicate: Predicate<Item>
  private var context: ModelContext
  private var items: [Item] = []

  private init(_ store: ItemStore, _ predicate: Predicate<Item>) {
    self.store = store
    self.predicate = predicate
    context = store.makeContext()
  }

  static func names(_ store: ItemStore, _ seeds: Seeds) -> SearchCaptured {
    let names = seeds.capturedNames
    return SearchCaptured(store, #Predicate { names.contains($0.name) })
  }

  static func counts(_ store: ItemStore) -> SearchCaptured {
    let counts = Selection.captured
    return SearchCaptured(store, #Predicate { counts.contains($0.count) })
  }

  static func keys(_ store: ItemStore) throws -> SearchCaptured {
    let all = try store.makeContext().fetchIdentifiers(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.created)]))
    let identifiers = Selection.captured.map { all[$0] }
    return SearchCaptured(store, #Predicate { identifiers.contains($0.persistentModelID) })
  }

  func prepare() throws {
    context = store.makeContext()
  }

  func run() throws -> Int {
    items = try context.fetch(FetchDescriptor(predicate: predicate))
    return items.reduce(0) { $0 + $1.count }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
