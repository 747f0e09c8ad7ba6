import Foundation
import SwiftData
import Workload

final class FetchFiltered: Work {
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
    let smallCount = Selection.smallCount
    var descriptor = FetchDescriptor<Item>(
      predicate: #Predicate { $0.count < smallCount }, sortBy: [SortDescriptor(\.price)])
    descriptor.fetchLimit = Selection.limit
    items = try context.fetch(descriptor)
    return items.reduce(0) { $0 + $1.count }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}
