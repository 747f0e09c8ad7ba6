import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Many actors on one object graph")
struct BankTests {
  @Test("Accounts and their bookings agree in each of eight contexts at all times")
  func bank() async throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(
      for: Account.self, Booking.self, Holder.self, configurations: ModelConfiguration(url: folder.file()))
    let setup = ModelContext(container)
    for number in 0..<10 {
      let account = Account(number: number)
      account.bookings = (0..<4).map { Booking(amount: $0) }
      account.holders = [Holder(name: "h\(number)")]
      setup.insert(account)
    }
    try setup.save()
    let clerks = (0..<8).map { _ in Clerk(modelContainer: container) }
    let gate = SavingGate()
    let steps = max(TestOptions.randomOperations / 200, 20)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, clerk) in clerks.enumerated() {
          let seed = TestOptions.seed &+ UInt64(index)
          group.addTask { try await clerk.work(steps: steps, seed: seed, gate) }
        }
        try await group.waitForAll()
      }
    } catch {
      Issue.record("OSD_SEED=\(TestOptions.seed): \(error)")
      return
    }
    let stored = try BankStatement(ModelContext(container))
    for clerk in clerks {
      let statement = try await clerk.statement()
      #expect(statement == stored, "OSD_SEED=\(TestOptions.seed)")
    }
    for clerk in clerks { #expect(await clerk.saveCount > steps / 2) }
  }
}
