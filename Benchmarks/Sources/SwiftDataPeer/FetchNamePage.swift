import Foundation
import SwiftData
import Workload

final class FetchNamePage<Model: Named>: Work {
  private let page: NamePage
  private let times: Int
  private let container: ModelContainer
  private var context: ModelContext

  init(_ page: NamePage, _ file: URL, times: Int = 1) throws {
    self.page = page
    self.times = times
    container = try ModelContainer(
      for: PlainName.self, IndexedName.self, configurations: ModelConfiguration(url: file, history: .none))
    context = ModelContext(container)
  }

  func prepare() throws {
    context = ModelContext(container)
  }

  func run() throws -> Int {
    var sum = 0
    for _ in 0..<times { sum = try fetch() }
    return sum
  }

  private func fetch() throws -> Int {
    var descriptor = FetchDescriptor<Model>(sortBy: [Model.byName])
    descriptor.fetchLimit = NamePage.size
    descriptor.fetchOffset = page.offset
    return Model.sum(try context.fetch(descriptor))
  }
}

extension StoreBuilder {
  static func insertNames(into file: URL) throws {
    let container = try ModelContainer(
      for: PlainName.self, IndexedName.self, configurations: ModelConfiguration(url: file, history: .none))
    let context = ModelContext(container)
    for seed in NameSeed.all {
      context.insert(PlainName(seed))
      context.insert(IndexedName(seed))
    }
    try context.save()
  }
}
