import SwiftData
import Workload

/// Looks up some items by identifier in a context that has registered all items, and reads them.
final class LookUpRegistered: Work {
  private let context: ModelContext
  private let held: [Item]
  private let identifiers: [PersistentIdentifier]
  private var items: [Item] = []

  init(_ store: ItemStore) throws {
    context = store.makeContext()
    held = try context.fetch(FetchDescriptor<Item>())
    identifiers = try context.lookups()
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
