import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

private typealias WideRow = Wide.WideSwapRow
private typealias WideFriend = Wide.WideSwapFriend

/// The random program of the books' tests, with rows of more properties than the dirty mask has bits.
@Suite("Random overlapping saves of wide rows")
struct OverlappingWideRowSavesTests {
  private class Writer: RandomWriter, @unchecked Sendable {
    override class var types: [any PersistentModel.Type] { [WideRow.self, WideFriend.self] }

    override class func fill(_ context: ModelContext) {
      for number in 0..<4 {
        let row = WideRow("\(number)", number)
        context.insert(row)
        row.friend = WideFriend("\(number)")
      }
    }

    /// Some have a bit of their own, up to the last one, and one shares its bit with the name and the friend.
    private static var numbers: [(property: String, path: ReferenceWritableKeyPath<WideRow, Int>)] {
      [
        ("p0", \.p0), ("p1", \.p1), ("p31", \.p31), ("p32", \.p32), ("p60", \.p60), ("p61", \.p61), ("p62", \.p62),
        ("code", \.code),
      ]
    }

    // MARK: Changing

    override func change() throws {
      guard let row = try randomModel(WideRow.self) else { return }
      switch draw(10) {
      case 0...3: changeNumber(of: row)
      case 4: for _ in 0..<3 { changeNumber(of: row) }
      case 5, 6: changeName(of: row)
      case 7:
        row.friend = try randomModelOrNil(WideFriend.self)
        log.add(name, "changes the friend of \(Self.shortIdentifier(of: row))")
      case 8:
        let code = drawNew()
        row.code = code
        recordSet(row, "code", "\(code)")
      default:
        guard draw(2) == 0 else { return }
        log.add(name, "rolls back")
        rollBack()
      }
    }

    private func changeNumber(of row: WideRow) {
      let (property, path) = Self.numbers[draw(Self.numbers.count)]
      let number = drawNew()
      row[keyPath: path] = number
      recordSet(row, property, "\(number)")
    }

    private func changeName(of row: WideRow) {
      let word = "\(drawNew())"
      row.name = word
      recordSet(row, "name", word)
    }

    private func recordSet(_ row: WideRow, _ property: String, _ value: String) {
      log.add(name, "sets \(property) of \(Self.shortIdentifier(of: row)) to \(value)")
      unsaved[Self.key(row, property)] = value
    }

    override func refresh(_ model: any PersistentModel, mergesChanges: Bool) throws {
      try super.refresh(model, mergesChanges: mergesChanges)
      if mergesChanges { return }
      let discarded = Self.key(model, "")
      unsaved = unsaved.filter { !$0.key.hasPrefix(discarded) }
    }

    override func readSomething() throws {
      let kind = draw(5)
      log.add(name, "reads in way \(kind)")
      switch kind {
      case 0: context.processPendingChanges()
      case 1: _ = try context.fetch(FetchDescriptor<WideRow>())
      case 2: _ = try randomModel(WideRow.self).map(Self.summary)
      case 3: _ = try randomModel(WideRow.self)?.p62
      default: _ = try randomModel(WideRow.self)?.name
      }
    }

    // MARK: Comparing

    private static func values(_ row: WideRow) -> [(property: String, value: String)] {
      var values: [(property: String, value: String)] = [("name", row.name)]
      for (property, path) in numbers { values.append((property, "\(row[keyPath: path])")) }
      return values
    }

    override class func summary(of model: any PersistentModel) -> String {
      guard let row = model as? WideRow else { return "" }
      let words = values(row).map { $0.property + " " + $0.value }
      return "\(words) \(row.friend.map(Self.shortIdentifier) ?? "none")"
    }

    override class func storeMismatch(_ container: ModelContainer, _ log: OverlappingSaveLog) throws -> String? {
      let context = ModelContext(container)
      defer { withExtendedLifetime(context) {} }
      for row in try context.fetch(FetchDescriptor<WideRow>()) {
        for (property, value) in values(row) {
          let key = Self.key(row, property)
          // A value that no context has set is unchanged.
          let last = log.savedLast[key] ?? value
          if value != last { return "has \(value) as \(key), and \(last) was saved last" }
          log.savedLast[key] = last
        }
      }
      return nil
    }
  }

  /// With a policy by which the store may win, the value set last need not be saved.
  private final class YieldingWriter: Writer, @unchecked Sendable {
    override class func storeMismatch(_ container: ModelContainer, _ log: OverlappingSaveLog) throws -> String? { nil }
  }

  @Test("Each property has its last saved value, in memory and in the store", arguments: 0..<TestOptions.programs)
  func program(number: Int) throws {
    try OverlappingSaveProgram<Writer>(number: number, refreshes: number % 2 == 1).run()
  }

  @Test("Each context's wide rows equal the store, with every merge policy", arguments: 0..<TestOptions.programs)
  func programOfPolicies(number: Int) throws {
    let policies: [MergePolicy] =
      number % 2 == 0 ? [.lastWriterWins, .storeWins, .throwOnConflict] : [.lastWriterWins, .contextWins, .storeWins]
    try OverlappingSaveProgram<YieldingWriter>(number: number, policies: policies, refreshes: number % 5 > 2).run()
  }
}
