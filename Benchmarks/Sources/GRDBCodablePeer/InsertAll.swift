import GRDB
import Workload

/// Makes all items and inserts them in one transaction.
final class InsertAll: Work {
  private let seeds: Seeds
  private let copy: StoreCopy
  private var target: InsertionTarget?
  private var items: [Item] = []

  init(_ seeds: Seeds, _ copy: StoreCopy) {
    self.seeds = seeds
    self.copy = copy
  }

  func prepare() throws {
    target = try InsertionTarget(copy)
  }

  func run() throws -> Int {
    guard let target else { return 0 }
    for seed in seeds.items {
      items.append(Item(seed, ownerID: target.ownerIDs[seed.owner]))
    }
    try target.store.queue.write { database in
      for index in items.indices { try items[index].insert(database) }
    }
    return items.count { $0.id != nil }
  }

  func finish() throws -> Outcome {
    defer {
      items = []
      target = nil
    }
    return target.map { .store($0.store.file) } ?? .nothing
  }
}
