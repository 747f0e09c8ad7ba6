import Foundation
import SwiftData
import Timing
import Workload

/// The cost that an `#Index` on a text adds to the insertion of a row.
struct TextIndexCost {
  let folder: StoreFolder

  init(_ folder: StoreFolder) {
    self.folder = folder
  }

  /// Seconds for each row.
  func measure() throws -> Double {
    let seeds = NameSeed.all
    let plain = try insert(PlainName.self, seeds)
    return (try insert(IndexedName.self, seeds) - plain) / Double(seeds.count)
  }

  private func insert<Model: Named>(_ type: Model.Type, _ seeds: [NameSeed]) throws -> Double {
    let container = try ModelContainer(
      for: PlainName.self, IndexedName.self,
      configurations: ModelConfiguration(url: folder.file("names \(UUID().uuidString)"), history: .none))
    let context = ModelContext(container)
    context.autosaveEnabled = false
    for seed in seeds { context.insert(Model(seed)) }
    return try CPUClock.seconds { try context.save() }
  }
}
