import Foundation
import SwiftData
import Workload

final class SearchTexts<Model: PersistentModel>: Work {
  private let context: ModelContext
  private let descriptor: FetchDescriptor<Model>

  init(_ file: URL, _ property: any KeyPath<Model, String> & Sendable, _ pattern: String) throws {
    context = ModelContext(
      try ModelContainer(for: Model.self, configurations: ModelConfiguration(url: file, history: .none)))
    descriptor = FetchDescriptor(
      predicate: Predicate { item in
        PredicateExpressions.build_localizedStandardContains(
          PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg(item), keyPath: property),
          PredicateExpressions.build_Arg(pattern))
      })
  }

  func run() throws -> Int {
    try context.fetchCount(descriptor)
  }
}
