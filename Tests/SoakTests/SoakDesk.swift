import Foundation
import SoakTestModels
import SwiftData

@testable import TestSupport

/// Changes reefs with the main context, as an application with windows does.
@MainActor
final class SoakDesk {
  private let writer: ReefWriter

  init(_ container: ModelContainer, _ habits: ReefWriter.Habits, seed: UInt64) {
    writer = ReefWriter("main", container.mainContext, habits, seed: seed)
  }

  func work(until end: Date) async -> ReefWriter.Tally {
    await writer.work(until: end)
  }

  func finding(against stored: StoredReefs, until end: Date) async -> String? {
    if let finding = await writer.finding(against: stored, until: end) { return finding }
    return writer.flaws
  }

  func traces() -> [Trace] {
    writer.traces
  }
}
