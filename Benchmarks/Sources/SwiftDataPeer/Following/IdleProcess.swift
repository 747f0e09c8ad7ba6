package import Foundation
import SwiftData
package import Timing
import Workload

/// A process that has a store open, follows what others commit to it, and has nothing to do.
package struct IdleProcess {
  /// Where the observer of the history counts.
  package enum Listening: String, CaseIterable, Codable, Sendable {
    case onQueue = "container, context, observer"
    case onMainActor = "container, context, observer on the main actor"
  }

  private static let modelCount = 10
  /// Longer than the five seconds for which Dispatch keeps threads that have become idle.
  private static let settlingSeconds = 7.0

  private let items: [Item]
  private let context: ModelContext
  private let observer: HistoryObserver

  /// Opens the store, saves, and hears of a save of somebody else, so that all is in use that following needs. Has to be
  /// called on the main thread, and takes some seconds.
  package init(_ file: URL, _ listening: Listening) throws {
    let container = try ItemStore(file, history: .usual).container
    context = ModelContext(container)
    items = (0..<Self.modelCount).map { Item(ItemSeed(number: $0), owner: nil) }
    for item in items { context.insert(item) }
    try context.save()
    observer =
      switch listening {
      case .onQueue: try HistoryObserver(modelContainer: container)
      case .onMainActor: try MainActor.assumeIsolated { try HistoryObserver(modelContainer: container) }
      }
    try Self.saveElsewhere(file)
    // The main actor counts meanwhile. A run loop has a thread wake it in the end, so the settling is no part of this.
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
    precondition(observer.eventCounter > 0, "Nobody was told of the save.")
    Thread.sleep(forTimeInterval: Self.settlingSeconds)
  }

  private static func saveElsewhere(_ file: URL) throws {
    let context = try ItemStore(file, history: .usual).makeContext()
    context.insert(Item(ItemSeed(number: modelCount), owner: nil))
    try context.save()
  }

  /// What happens in the process while nobody asks it for anything.
  package func activity(for seconds: Double) throws -> Activity {
    try withExtendedLifetime((items, context, observer)) {
      try Activity.ofOtherThreads(for: seconds)
    }
  }
}
