import SwiftData
import Workload

/// Makes all items, inserts them and saves once.
final class InsertAll: Work {
  private let seeds: Seeds
  private let copy: StoreCopy
  private let history: History
  private var target: InsertionTarget?
  private var items: [Item] = []

  init(_ seeds: Seeds, _ copy: StoreCopy, history: History = .none) {
    self.seeds = seeds
    self.copy = copy
    self.history = history
  }

  func prepare() throws {
    target = try InsertionTarget(copy, history: history)
  }

  func run() throws -> Int {
    guard let target else { return 0 }
    for seed in seeds.items {
      let item = Item(seed, owner: target.owners[seed.owner])
      target.context.insert(item)
      items.append(item)
    }
    try target.context.save()
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
