import GRDB
import Workload

final class ReadAll: Work {
  private let items: [Item]
  private var digest = Digest()

  init(_ store: ItemStore) throws {
    items = try store.queue.read { try Item.fetchAll($0.cachedStatement(sql: Item.select)) }
  }

  func run() throws -> Int {
    digest = Digest(of: items)
    return digest.count
  }

  func finish() throws -> Outcome {
    .objects(digest)
  }
}
