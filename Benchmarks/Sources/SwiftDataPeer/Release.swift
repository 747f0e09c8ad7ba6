import SwiftData
import Workload

/// Releases all items at once, while their context is retained.
final class Release: Work {
  private let store: ItemStore
  private var context: ModelContext
  private var items: [Item] = []
  private weak var last: Item?

  init(_ store: ItemStore) {
    self.store = store
    context = store.makeContext()
  }

  func prepare() throws {
    context = store.makeContext()
    items = try context.fetch(FetchDescriptor<Item>())
    last = items.last
  }

  func run() throws -> Int {
    items = []
    return last == nil ? 0 : 1
  }
}
