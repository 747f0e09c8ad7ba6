import GRDB
import Workload

/// Makes items and inserts each in its own transaction.
final class InsertSingly: Work {
  private let seeds: Seeds
  private let copy: StoreCopy
  private let isDurable: Bool
  private var target: InsertionTarget?
  private var items: [Item] = []

  init(_ seeds: Seeds, _ copy: StoreCopy, isDurable: Bool = false) {
    self.seeds = seeds
    self.copy = copy
    self.isDurable = isDurable
  }

  func prepare() throws {
    target = try InsertionTarget(copy, isDurable: isDurable)
  }

  func run() throws -> Int {
    guard let target else { return 0 }
    for seed in seeds.items.prefix(Selection.singleInserts) {
      let item = Item(seed, ownerID: target.ownerIDs[seed.owner])
      items.append(item)
      try target.store.queue.write { try item.insert($0) }
    }
    return items.count { $0.id != 0 }
  }

  func finish() throws -> Outcome {
    defer {
      items = []
      target = nil
    }
    return target.map { .store($0.store.file) } ?? .nothing
  }
}
