import Foundation
import FoundationSupplements
import Testing

/// The expected behaviour of a manager, with arrays of values.
private struct Reference {
  /// The states before each group, and after the last.
  private var undoStates: [[Int]] = []
  private var redoStates: [[Int]] = []
  /// The states at which the open groups began.
  private var openStates: [[Int]] = []
  private var isChanged = false
  private let limit: Int
  private(set) var values: [Int]

  init(count: Int, limit: Int) {
    values = Array(repeating: 0, count: count)
    self.limit = limit
  }

  var level: Int { openStates.count }
  var undoCount: Int { undoStates.count + (isChanged ? 1 : 0) }
  var redoCount: Int { redoStates.count }

  mutating func set(_ index: Int, _ value: Int) {
    let isOutermost = level == 0
    if isOutermost { begin() }
    values[index] = value
    isChanged = true
    redoStates = []
    if isOutermost { end() }
  }

  mutating func begin() {
    openStates.append(values)
  }

  mutating func end() {
    guard let state = openStates.popLast(), openStates.isEmpty, isChanged else { return }
    isChanged = false
    undoStates.append(state)
    trim()
  }

  private mutating func trim() {
    if limit > 0 { undoStates.removeFirst(max(0, undoStates.count - limit)) }
  }

  mutating func undo() {
    while level > 0 { end() }
    guard let state = undoStates.popLast() else { return }
    redoStates.append(values)
    values = state
  }

  mutating func redo() {
    while level > 0 { end() }
    guard let state = redoStates.popLast() else { return }
    undoStates.append(values)
    trim()
    values = state
  }
}

private final class Values {
  let manager: UndoManager
  private(set) var values: [Int]

  init(_ manager: UndoManager, count: Int) {
    self.manager = manager
    values = Array(repeating: 0, count: count)
  }

  func set(_ index: Int, _ value: Int) {
    let old = values[index]
    values[index] = value
    manager.registerUndo(withTarget: self) { $0.set(index, old) }
  }
}

@Suite("Undo compared with a reference model")
struct UndoModelTests {
  @Test(
    "Random changes, groups, undos and redos agree with the reference model",
    arguments: [(1, 0), (2, 3), (3, 20), (4, 1)])
  func random(seed: UInt64, limit: Int) {
    var numbers = SeededNumbers(seed: seed)
    let values = Values(.byHand(), count: 8)
    values.manager.levelsOfUndo = limit
    var model = Reference(count: 8, limit: limit)
    for step in 0..<20_000 {
      switch Int.random(in: 0..<100, using: &numbers) {
      case 0..<40:
        let (index, value) = (Int.random(in: 0..<8, using: &numbers), Int.random(in: 0..<1_000, using: &numbers))
        values.set(index, value)
        model.set(index, value)
      case 40..<55:
        values.manager.beginUndoGrouping()
        model.begin()
      case 55..<73:
        values.manager.endUndoGrouping()
        model.end()
      case 73..<86:
        values.manager.undo()
        model.undo()
      default:
        values.manager.redo()
        model.redo()
      }
      let isEqual =
        values.values == model.values && values.manager.undoCount == model.undoCount
        && values.manager.redoCount == model.redoCount && values.manager.groupingLevel == model.level
      guard isEqual else {
        Issue.record("Step \(step) differs")
        return
      }
    }
  }

  @Test("Random nested undos restore the values from the beginning of each group", arguments: UInt64(1)...20)
  func randomNested(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    let values = Values(.byHand(), count: 4)
    values.manager.beginUndoGrouping()
    values.set(0, 1)
    for _ in 0..<200 {
      let before = values.values
      let depth = Int.random(in: 1...5, using: &numbers)
      for _ in 0..<depth {
        values.manager.beginUndoGrouping()
        values.set(Int.random(in: 0..<4, using: &numbers), Int.random(in: 0..<100, using: &numbers))
      }
      for _ in 0..<depth { values.manager.endUndoGrouping() }
      if Bool.random(using: &numbers) { continue }
      values.manager.undoNestedGroup()
      #expect(values.values == before && values.manager.groupingLevel == 1)
    }
    values.manager.undo()
    #expect(values.values == [0, 0, 0, 0])
  }
}
