import SwiftData
import Workload

/// Enumerates all items in a context without registered models.
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
