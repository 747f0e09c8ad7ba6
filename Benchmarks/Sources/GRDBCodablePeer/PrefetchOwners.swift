import GRDB
import Workload

/// Fetches owners with their items by an association.
final class PrefetchOwners: Work {
  private let store: ItemStore
  private var found: [OwnedItems] = []

  init(_ store: ItemStore) {
    self.store = store
  }

  func run() throws -> Int {
    found = try store.queue.read { database in
      try Owner.including(all: Owner.items).order(Owner.Columns.name).asRequest(of: OwnedItems.self).fetchAll(database)
    }
    return found.reduce(0) { sum, entry in entry.items.reduce(sum) { $0 + $1.count } }
  }

  func finish() throws -> Outcome {
    defer { found = [] }
    return .objects(Digest(of: found))
  }
}
