import SwiftData
import Workload

final class ReadAll: Work {
  private let context: ModelContext
  private let items: [Item]
  private var digest = Digest()

  init(_ store: ItemStore) throws {
    context = store.makeContext()
    items = try context.fetch(FetchDescriptor<Item>())
  }

  func run() throws -> Int {
    digest = Digest(of: items)
    return digest.count
  }

  func finish() throws -> Outcome {
    .objects(digest)
  }
}
