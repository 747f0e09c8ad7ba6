import Foundation
import SwiftData

@testable import TestSupport

/// A counter that many actors increment.
@Model
final class Pot {
  @Attribute(.unique) var number: Int
  var coins: Int

  init(number: Int, coins: Int) {
    self.number = number
    self.coins = coins
  }
}

/// Reads, changes and saves.
@ModelActor
actor Teller {
  /// - Parameter isHolding: Whether the model is retained between increments, instead of fetched.
  func add(times: Int, isHolding: Bool) throws {
    let held = try isHolding ? pots() : []
    for _ in 0..<times {
      try modelContext.transaction {
        let current = try isHolding ? held : pots()
        current[0].coins += 1
      }
    }
  }

  func transfer(times: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let held = try pots()
    for time in 0..<times {
      try modelContext.transaction {
        let current = try time % 2 == 0 ? held : pots()
        let (from, to) = (current.randomElement(using: &random), current.randomElement(using: &random))
        guard let from, let to, from !== to, from.coins > 0 else { return }
        let coins = Int.random(in: 1...from.coins, using: &random)
        from.coins -= coins
        to.coins += coins
      }
      if time % 3 == 0, try pots().reduce(0, { $0 + $1.coins }) != 1000 { throw Mismatch("coins were lost or made") }
    }
  }

  private func pots() throws -> [Pot] {
    try modelContext.fetch(FetchDescriptor<Pot>(sortBy: [SortDescriptor(\.number)]))
  }
}
