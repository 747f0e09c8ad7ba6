import Workload

final class ReadAll: Work {
  private let items: [Item]
  private var digest = Digest()

  init(_ store: ItemStore) throws {
    items = try store.connection.prepare(store.table.select).items()
  }

  func run() throws -> Int {
    digest = Digest(of: items)
    return digest.count
  }

  func finish() throws -> Outcome {
    .objects(digest)
  }
}
