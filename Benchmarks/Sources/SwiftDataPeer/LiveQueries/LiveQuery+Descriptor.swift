import Foundation
import SwiftData
import Workload

extension LiveQuery {
  var descriptor: FetchDescriptor<LiveRow> {
    var descriptor = FetchDescriptor<LiveRow>(predicate: predicate, sortBy: [SortDescriptor(\.position)])
    if case .first = self { descriptor.fetchLimit = Self.limit }
    return descriptor
  }

  private var predicate: Predicate<LiveRow>? {
    switch self {
    case .owner(let owner):
      return #Predicate { $0.owner == owner }
    case .word(let word):
      let label = LiveSeed.label(ofWord: word)
      return #Predicate { $0.text.contains(label) }
    case .all:
      return nil
    case .first(let owner):
      return #Predicate { $0.owner >= owner }
    case .others(let owner, let position):
      return #Predicate { $0.owner == owner && $0.position != position }
    }
  }
}
