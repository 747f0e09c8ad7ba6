import Foundation
import SwiftData
import Timing
import Workload

/// The time in which contexts merge a commit that changed one of the many models that each has in memory.
struct MergeCost {
  private static let contextCount = 10
  private static let modelCount = 10_000
  private static let repetitions = 200

  private let writer: ModelContext
  private let item: Item
  private let contexts: [ModelContext]
  private let models: [[Item]]

  init(_ folder: StoreFolder) throws {
    let store = try ItemStore(folder.copy(of: folder.items, for: OpenSwiftData.self).make())
    var descriptor = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.created)])
    descriptor.fetchLimit = Self.modelCount
    writer = store.makeContext()
    guard let item = try writer.fetch(descriptor).last else { throw CocoaError(.coderValueNotFound) }
    self.item = item
    let contexts = (0..<Self.contextCount).map { _ in store.makeContext() }
    self.contexts = contexts
    models = try contexts.map { try $0.fetch(descriptor) }
  }

  /// The seconds for a commit in all contexts, without reading the row in each.
  func measure() throws -> Double {
    var merging = Double.infinity
    var reading = Double.infinity
    for _ in 0..<9 {
      merging = try min(merging, seconds { for context in contexts { context.processPendingChanges() } })
      reading = min(reading, rowReads())
    }
    precondition(models.allSatisfy { $0.last?.count == item.count }, "A context has not merged a commit.")
    return merging - reading
  }

  private func seconds(_ body: () -> Void) throws -> Double {
    var sum = 0.0
    for _ in 0..<Self.repetitions {
      item.count += 1
      try writer.save()
      sum += CPUClock.seconds(of: body)
    }
    return sum / Double(Self.repetitions)
  }

  /// The seconds for reading the row once in each context, as a fault does.
  private func rowReads() -> Double {
    let identifier = item.persistentModelID
    let context = ModelContext(writer.container)
    var sum = 0.0
    for _ in 0..<Self.repetitions {
      // Released at once, so that the row is read each time.
      sum += CPUClock.seconds {
        let model = context.model(for: identifier) as? Item
        precondition(model?.count == item.count, "The row has another value.")
      }
    }
    return sum / Double(Self.repetitions) * Double(Self.contextCount)
  }
}
