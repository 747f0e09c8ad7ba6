import SwiftData
import Workload

/// Visits all items in a context that has nothing registered.
final class Enumerate: Work {
  private let store: ItemStore
  private var context: ModelContext

  init(_ store: ItemStore) {
    self.store = store
    context = store.makeContext()
  }

  func prepare() throws {
    context = store.makeContext()
  }

  func run() throws -> Int {
    var sum = 0
    try context.enumerate(FetchDescriptor<Item>()) { sum += $0.count }
    return sum
  }
}
