import Foundation
import SwiftData
import Timing
import Workload

/// The time in which a context merges a new member of a to-many in memory.
struct ListGain {
  private static let repetitions = 200

  private let store: ItemStore
  private let memberCount: Int

  init(_ folder: StoreFolder, memberCount: Int) throws {
    store = try ItemStore(folder.copy(of: folder.owners, for: OpenSwiftData.self).make())
    self.memberCount = memberCount
    let context = store.makeContext()
    let owner = Owner(name: "much")
    context.insert(owner)
    let seed = Seeds().items[0]
    for _ in 0..<memberCount { owner.items.append(Item(seed, owner: nil)) }
    try context.save()
  }

  /// The seconds for a member: the median, because the array of the members occasionally grows.
  func measure() throws -> Double {
    let descriptor = FetchDescriptor<Owner>(predicate: #Predicate { $0.name == "much" })
    let (writer, reader) = (store.makeContext(), store.makeContext())
    guard let there = try writer.fetch(descriptor).first, let here = try reader.fetch(descriptor).first else {
      throw CocoaError(.coderValueNotFound)
    }
    precondition(here.items.count == memberCount, "A member is missing.")
    let seed = Seeds().items[0]
    var seconds: [Double] = []
    for _ in 0..<Self.repetitions {
      writer.insert(Item(seed, owner: there))
      try writer.save()
      seconds.append(
        CPUClock.seconds {
          reader.processPendingChanges()
          _ = here.items.count
        })
    }
    precondition(here.items.count == memberCount + Self.repetitions, "A member is missing.")
    return seconds.sorted()[Self.repetitions / 2]
  }
}
