import SwiftData
import Workload

/// Fetches into a context without registered models.
final class FetchAll: Work {
  private let store: ItemStore
  private var context: ModelContext
  private var items: [Item] = []

  init(_ store: ItemStore) {
    self.store = store
    context = store.makeContext()
  }

  func prepare() throws {
    context = store.makeContext()
  }

  func run() throws -> Int {
    items = try context.fetch(FetchDescriptor<Item>())
    return items.reduce(0) { $0 + $1.count }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
