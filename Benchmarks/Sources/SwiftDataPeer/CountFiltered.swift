import Foundation
import SwiftData
import Workload

final class CountFiltered: Work {
  private let context: ModelContext

  init(_ store: ItemStore) {
    context = store.makeContext()
  }

  func run() throws -> Int {
    let mediumCount = Selection.mediumCount
    return try context.fetchCount(
      FetchDescriptor<Item>(predicate: #Predicate { $0.flag && $0.count < mediumCount }))
  }
}
