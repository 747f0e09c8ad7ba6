import SwiftData
package import Workload

/// Fetches into a context without registered models.
package final class FetchAll: Work {
  private let store: Store
  private var context: ModelContext
  private var items: [Item] = []

  package init(_ store: Store) {
    self.store = store
    context = store.makeContext()
  }

  package func prepare() throws {
    context = store.makeContext()
  }

  package func run() throws -> Int {
    items = try context.fetch(FetchDescriptor<Item>())
    return items.reduce(0) { $0 + $1.count }
  }

  package func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
