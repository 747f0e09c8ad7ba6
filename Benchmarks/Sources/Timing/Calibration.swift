import Foundation

/// A constant amount of work, just under a millisecond long, whose duration shows the current speed of the machine.
///
/// It resembles fetching and saving: it mixes integers, loads from scattered addresses and makes small allocations.
final class Calibration {
  private static let tableSize = 1 << 20

  private let table: UnsafeMutablePointer<UInt32>
  /// Keeps the optimizer from removing work whose result is unused.
  private var sink: UInt64 = 0

  init() {
    table = .allocate(capacity: Self.tableSize)
    for index in 0..<Self.tableSize {
      table[index] = UInt32(truncatingIfNeeded: index &* 0x9E37_79B1)
    }
  }

  deinit {
    table.deallocate()
  }

  /// Does the work once and returns the seconds of processor time that it took.
  func measure() -> Double {
    let start = CPUClock.now
    mixIntegers()
    loadFromScatteredPlaces()
    makeSmallAllocations()
    return CPUClock.now - start
  }

  private func mixIntegers() {
    var state = sink | 1
    for _ in 0..<75_000 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    sink = state
  }

  private func loadFromScatteredPlaces() {
    let mask = UInt32(Self.tableSize - 1)
    var place = UInt32(truncatingIfNeeded: sink) & mask
    for step in 0..<7_000 as Range<UInt32> {
      place = (table[Int(place)] &+ step) & mask
    }
    sink &+= UInt64(place)
  }

  private func makeSmallAllocations() {
    let live = 64
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: live) { blocks in
      blocks.initialize(repeating: nil)
      for round in 0..<3_500 {
        let slot = round % live
        free(blocks[slot])
        let block = malloc(32 + round % 5 * 16)
        block?.storeBytes(of: sink, as: UInt64.self)
        blocks[slot] = block
      }
      for block in blocks { free(block) }
    }
  }
}
