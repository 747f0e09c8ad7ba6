import SwiftData
import Workload

/// Makes items, and inserts and saves each separately.
final class InsertSingly: Work {
  private let seeds: Seeds
  private let copy: StoreCopy
  private let isDurable: Bool
  private let history: History
  private var target: InsertionTarget?
  private var items: [Item] = []

  init(_ seeds: Seeds, _ copy: StoreCopy, isDurable: Bool = false, history: History = .none) {
    self.seeds = seeds
    self.copy = copy
    self.isDurable = isDurable
    self.history = history
  }

  func prepare() throws {
    target = try InsertionTarget(copy, isDurable: isDurable, history: history)
  }

  func run() throws -> Int {
    guard let target else { return 0 }
    for seed in seeds.items.prefix(Selection.singleInserts) {
      let item = Item(seed, owner: target.owners[seed.owner])
      target.context.insert(item)
      try target.context.save()
      items.append(item)
    }
    return items.count { !$0.hasChanges }
  }

  func finish() throws -> Outcome {
    defer {
      items = []
      target = nil
    }
    return target.map { .store($0.store.file) } ?? .nothing
  }
}
