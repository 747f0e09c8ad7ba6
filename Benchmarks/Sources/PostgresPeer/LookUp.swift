import SwiftData
package import Workload

/// Looks up items by identifier in a context without registered models, and reads them.
package final class LookUp: Work {
  private let store: Store
  private let identifiers: [PersistentIdentifier]
  private var context: ModelContext
  private var items: [Item] = []

  package init(_ store: Store) throws {
    self.store = store
    context = store.makeContext()
    let all = try context.fetchIdentifiers(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.created)]))
    identifiers = Selection.lookups.map { all[$0] }
  }

  package func prepare() throws {
    context = store.makeContext()
  }

  package func run() throws -> Int {
    var sum = 0
    for identifier in identifiers {
      guard let item = context.model(for: identifier) as? Item else { continue }
      items.append(item)
      sum += item.count
    }
    return sum
  }

  package func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
