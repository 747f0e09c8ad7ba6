import Foundation
import SoakTestModels
import SwiftData

@testable import TestSupport

/// Changes reefs on an actor.
@ModelActor
actor Swimmer {
  private var writer: ReefWriter?

  /// Works in the actor's own context.
  func work(_ name: String, _ habits: ReefWriter.Habits, seed: UInt64, until end: Date) async -> ReefWriter.Tally {
    let writer = ReefWriter(name, modelContext, habits, seed: seed)
    self.writer = writer
    return await writer.work(until: end)
  }

  /// Works in contexts that the container makes, a few turns in each.
  func perform(_ name: String, _ habits: ReefWriter.Habits, seed: UInt64, until end: Date) async -> ReefWriter.Tally {
    var total = ReefWriter.Tally(name)
    while total.complaint == nil, total.turnCount < 10 || Date.now < end {
      let number = UInt64(total.turnCount)
      do {
        let tally = try await modelContainer.perform { context in
          ReefWriter(name, context, habits, seed: seed &+ number).work(turns: 5)
        }
        total.add(tally)
      } catch {
        total.complaint = "\(name): \(error)"
      }
    }
    return total
  }

  func finding(against stored: StoredReefs, until end: Date) async -> String? {
    guard let writer else { return nil }
    if let finding = await writer.finding(against: stored, until: end) { return finding }
    return writer.flaws
  }

  func traces() -> [Trace] {
    writer?.traces ?? []
  }
}
