import SwiftData
import Workload

/// Fetches models that the context has already registered.
final class FetchAgain: Work {
  private let context: ModelContext
  private let held: [Item]
  private var items: [Item] = []

  init(_ store: ItemStore) throws {
    context = store.makeContext()
    held = try context.fetch(FetchDescriptor<Item>())
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
