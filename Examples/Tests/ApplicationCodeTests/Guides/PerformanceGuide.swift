import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum PerformanceGuide {
  @Model
  final class Trip {
    var start = Date.now
    var isOver = false
    var views = 0

    init() {}
  }

  static func end(_ context: ModelContext, _ today: Date) throws {
    try context.update(Trip.self, where: #Predicate { $0.start < today }) {
      $0.set(\.isOver, to: true)
      $0.set(\.views, to: #Expression<Trip, Int> { $0.views + 1 })
    }
  }
}
