import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Mappings of many models")
struct ModelMappingTests {
  private let store: TrailStore
  private let count = 400

  init() throws {
    store = try TrailStore()
    let container = try store.open(TrailV1.self, plan: false)
    let context = container.freshContext()
    for number in 0..<count { context.insert(TrailV1.Hike(title: "\(number)", length: number)) }
    try context.save()
    try container.close()
  }

  private func open(
    batchSize: Int, _ transform: @escaping @Sendable (TrailV1.Hike, TrailV2.Hike) throws -> Void
  ) throws -> ModelContext {
    let stage = MigrationStage.mapModels(
      fromVersion: TrailV1.self, toVersion: TrailV2.self, of: TrailV1.Hike.self, to: TrailV2.Hike.self,
      batchSize: batchSize, transform: transform)
    return try TrailPlan.$chosenStages.withValue([stage]) { try store.open(TrailV2.self).freshContext() }
  }

  /// The number of mapped models that are in memory. Used by one thread.
  private final class Handed: @unchecked Sendable {
    private struct Reference {
      weak var model: AnyObject?
    }

    private var references: [Reference] = []
    private(set) var count = 0
    private(set) var most = 0

    func note(_ model: AnyObject) {
      count += 1
      references.removeAll { $0.model == nil }
      references.append(Reference(model: model))
      most = max(most, references.count)
    }
  }

  @Test("A mapping keeps at most one batch of each version in memory")
  func memory() throws {
    let handed = Handed()
    let context = try open(batchSize: 10) { old, new in
      handed.note(old)
      handed.note(new)
      new.isLong = old.length > 10
    }
    #expect(handed.count == 2 * count)
    // While a batch is read, the previous one may still be in memory.
    #expect(handed.most <= 40)
    let hikes = try context.fetch(FetchDescriptor<TrailV2.Hike>())
    #expect(hikes.count == count)
    #expect(hikes.allSatisfy { $0.isLong == ($0.length > 10) })
  }

  @Test("A cancelled mapping ends with its batch, and the store is unchanged", arguments: [1, 30])
  func cancelled(batchSize: Int) throws {
    let before = try StoreFiles.contents(of: store.folder.url)
    let progress = Progress(totalUnitCount: 1)
    let calls = Mutex(0)
    progress.becomeCurrent(withPendingUnitCount: 1)
    #expect(throws: CancellationError.self) {
      try open(batchSize: batchSize) { _, new in
        let number = calls.withLock { calls in
          calls += 1
          return calls
        }
        new.title = "lost"
        if number == 100 { progress.cancel() }
      }
    }
    progress.resignCurrent()
    #expect(calls.withLock { $0 } == (batchSize == 1 ? 100 : 120))
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
    #expect(try store.leftovers() == [])
    let context = try store.open(TrailV1.self, plan: false).freshContext()
    #expect(try context.all(TrailV1.Hike.self, by: \.length).map(\.title) == (0..<count).map(String.init))
  }

  @Test("A mapping that throws leaves the store unchanged, including batches saved before")
  func failure() throws {
    struct Failure: Error {}
    let error = try expectRefusal(in: store.folder) {
      try open(batchSize: 10) { old, new in
        new.title = "lost"
        if old.length == 250 { throw Failure() }
      }.container
    }
    #expect(error?.details?.underlyingError is Failure)
    let context = try store.open(TrailV1.self, plan: false).freshContext()
    #expect(try context.all(TrailV1.Hike.self, by: \.length).map(\.title) == (0..<count).map(String.init))
  }
}
