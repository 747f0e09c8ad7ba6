import Foundation
import KillTestModels
import SwiftData
import Testing

@testable import TestSupport

@Suite("Read-modify-write in transactions")
struct ReadModifyWriteTests {
  private static func open(_ folder: TemporaryFolder?) throws -> ModelContainer {
    let options = ModelConfiguration.StoreOptions(busyTimeout: .seconds(120))
    return try ModelContainer(
      for: Pot.self,
      configurations: folder.map { ModelConfiguration(url: $0.file(), options: options) }
        ?? ModelConfiguration(isStoredInMemoryOnly: true, options: options))
  }

  private static func fill(_ container: ModelContainer, _ coins: [Int]) throws {
    let context = ModelContext(container)
    for (number, coins) in coins.enumerated() { context.insert(Pot(number: number, coins: coins)) }
    try context.save()
  }

  private static func coins(_ container: ModelContainer) throws -> [Int] {
    try ModelContext(container).fetch(FetchDescriptor<Pot>(sortBy: [SortDescriptor(\.number)])).map(\.coins)
  }

  @Test("Eight actors with a hundred increments each reach eight hundred", arguments: [true, false], [true, false])
  func increments(isHolding: Bool, inMemory: Bool) async throws {
    let folder = inMemory ? nil : try TemporaryFolder()
    let container = try Self.open(folder)
    try Self.fill(container, [0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        let teller = Teller(modelContainer: container)
        group.addTask { try await teller.add(times: 100, isHolding: isHolding) }
      }
      try await group.waitForAll()
    }
    #expect(try Self.coins(container) == [800])
  }

  @Test("Two containers on one file lose no increment", arguments: [true, false])
  func containers(isHolding: Bool) async throws {
    let folder = try TemporaryFolder()
    let containers = [try Self.open(folder), try Self.open(folder)]
    try Self.fill(containers[0], [0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        let teller = Teller(modelContainer: containers[index % 2])
        group.addTask { try await teller.add(times: 60, isHolding: isHolding) }
      }
      try await group.waitForAll()
    }
    #expect(try Self.coins(containers[1]) == [360])
  }

  @Test("Transfers between accounts keep the sum at all times", arguments: [true, false])
  func transfers(inMemory: Bool) async throws {
    let folder = inMemory ? nil : try TemporaryFolder()
    let containers = inMemory ? [try Self.open(nil)] : [try Self.open(folder), try Self.open(folder)]
    try Self.fill(containers[0], [400, 300, 200, 100, 0])
    let seed = TestOptions.seed
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        let teller = Teller(modelContainer: containers[index % containers.count])
        group.addTask { try await teller.transfer(times: 60, seed: seed &+ UInt64(index)) }
      }
      try await group.waitForAll()
    }
    let coins = try Self.coins(containers[0])
    #expect(coins.reduce(0, +) == 1000, "OSD_SEED=\(seed): \(coins)")
    #expect(coins.allSatisfy { $0 >= 0 }, "OSD_SEED=\(seed): \(coins)")
  }

  @Test("Several processes lose no increment")
  func processes() throws {
    let folder = try TemporaryFolder()
    let context = ModelContext(try openLedgers(at: folder.file()))
    context.insert(Summary())
    try context.save()
    let counters = try (0..<3).map { _ in try WriterProcess(store: folder.file(), count: 60) }
    try LedgerWriter.count(60, in: openLedgers(at: folder.file()))
    for counter in counters { #expect(try counter.complaint() == "") }
    let summary = try #require(try ModelContext(openLedgers(at: folder.file())).fetch(FetchDescriptor<Summary>()).first)
    #expect(summary.latest == 240)
    #expect(summary.ledgers == -240)
  }
}
