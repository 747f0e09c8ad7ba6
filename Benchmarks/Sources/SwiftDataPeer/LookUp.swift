import SwiftData
import Workload

/// Looks up items by identifier in a context without registered models, and reads them.
final class LookUp: Work {
  private let store: ItemStore
  private let identifiers: [PersistentIdentifier]
  private var context: ModelContext
  private var items: [Item] = []

  init(_ store: ItemStore) throws {
    self.store = store
    context = store.makeContext()
    identifiers = try context.lookups()
  }

  func prepare() throws {
    context = store.makeContext()
  }

  func run() throws -> Int {
    var sum = 0
    for identifier in identifiers {
      guard let item = context.model(for: identifier) as? Item else { continue }
      items.append(item)
      sum += item.count
    }
    return sum
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
