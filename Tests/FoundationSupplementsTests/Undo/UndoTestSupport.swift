import Foundation
import FoundationSupplements

/// A text whose changes can be undone.
final class Note {
  let manager: UndoManager
  private(set) var text = ""

  init(_ manager: UndoManager) {
    self.manager = manager
  }

  func write(_ new: String) {
    let old = text
    text = new
    manager.registerUndo(withTarget: self) { $0.write(old) }
  }
}

extension UndoManager {
  /// A manager without groups by event.
  static func byHand() -> UndoManager {
    let manager = UndoManager()
    manager.groupsByEvent = false
    return manager
  }

  func group(_ body: () -> Void) {
    beginUndoGrouping()
    body()
    endUndoGrouping()
  }
}

/// Runs a closure when it is released.
final class Released {
  private let onRelease: () -> Void

  init(_ onRelease: @escaping () -> Void) {
    self.onRelease = onRelease
  }

  deinit { onRelease() }
}

/// A record by an action or an observer, for the test to read.
final class Trace {
  var entries: [String] = []

  func add(_ entry: String) {
    entries.append(entry)
  }
}

/// A pseudo-random sequence that is the same in each run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
