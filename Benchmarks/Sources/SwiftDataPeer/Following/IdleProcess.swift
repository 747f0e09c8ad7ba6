package import Foundation
import SwiftData
package import Timing
import Workload

/// A process with an open store that follows commits of other processes, and is idle.
package struct IdleProcess {
  /// The isolation of the history observer.
  package enum Listening: String, CaseIterable, Codable, Sendable {
    case onQueue = "container, context, observer"
    case onMainActor = "container, context, observer on the main actor"
  }

  private static let modelCount = 10
  /// Longer than the five seconds for which Dispatch keeps idle threads.
  private static let settlingSeconds = 7.0

  private let items: [Item]
  private let context: ModelContext
  private let observer: HistoryObserver

  /// Opens the store, saves, and waits for a notification of another process's save, so that everything for following is in
  /// use. Must be called on the main thread, and takes some seconds.
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
    // The main actor receives the notification meanwhile. A thread wakes a run loop at its end, so this comes before the idle
    // time.
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
    precondition(observer.eventCounter > 0, "The observer was not notified of the save.")
    Thread.sleep(forTimeInterval: Self.settlingSeconds)
  }

  private static func saveElsewhere(_ file: URL) throws {
    let context = try ItemStore(file, history: .usual).makeContext()
    context.insert(Item(ItemSeed(number: modelCount), owner: nil))
    try context.save()
  }

  /// The activity of the process while it is idle.
  package func activity(for seconds: Double) throws -> Activity {
    try withExtendedLifetime((items, context, observer)) {
      try Activity.ofOtherThreads(for: seconds)
    }
  }
}
