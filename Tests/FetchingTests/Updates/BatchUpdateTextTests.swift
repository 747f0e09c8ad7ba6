import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum Copied {
  @Model
  final class Memo {
    @Attribute(.unique) var name: String
    var note: String
    var remark: String?
    var count: Int

    init(_ name: String, note: String, count: Int) {
      self.name = name
      self.note = note
      self.count = count
    }
  }
}

@Suite("Batch updates that copy texts")
struct BatchUpdateTextTests {
  private typealias Memo = Copied.Memo
  private let container: ModelContainer
  private static let texts = ["cafe\u{301}", "\u{212a}", "\u{1100}\u{1161}", "plain", "\u{e9}\u{327}"]

  init() throws {
    container = try Self.makeFilled()
  }

  private static func makeFilled() throws -> ModelContainer {
    let container = try makeContainer(Memo.self)
    let context = ModelContext(container)
    for (index, text) in texts.enumerated() { context.insert(Memo("n\u{303}\(index)", note: text, count: index)) }
    try context.save()
    return container
  }

  /// The texts of the rows, byte by byte.
  private func rows(_ container: ModelContainer) throws -> [[[UInt8]]] {
    try container.freshContext().all(Memo.self, by: \.count).map { memo in
      [memo.name, memo.note, memo.remark ?? "-"].map { Array($0.utf8) }
    }
  }

  /// Makes one change by a batch update in one container, and with models in another.
  private func expectSame(
    _ update: (inout BatchUpdate<Copied.Memo>) -> Void, _ change: (Copied.Memo) -> Void,
    where isChosen: Predicate<Copied.Memo>? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try rows(container)
    let other = try Self.makeFilled()
    let context = other.freshContext()
    for memo in try context.fetch(FetchDescriptor<Memo>(predicate: isChosen)) { change(memo) }
    try context.save()
    try container.freshContext().update(Memo.self, where: isChosen, update)
    let expected = try rows(other)
    #expect(expected != before, sourceLocation: sourceLocation)
    #expect(try rows(container) == expected, sourceLocation: sourceLocation)
  }

  @Test("A text copied to a unique property is normalized")
  func plainToUnique() throws {
    try expectSame({ $0.set(\.name, to: #Expression<Copied.Memo, String> { $0.note }) }, { $0.name = $0.note })
    let name = "caf\u{e9}"
    let context = container.freshContext()
    context.insert(Memo(name, note: "found", count: 0))
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Memo>()) == Self.texts.count)
  }

  @Test("A unique text is copied as it is stored")
  func uniqueToPlain() throws {
    let context = container.freshContext()
    try context.update(Memo.self) { $0.set(\.note, to: #Expression<Copied.Memo, String> { $0.name }) }
    let rows = try rows(container)
    #expect(rows.allSatisfy { $0[0] == $0[1] && $0[1].starts(with: "\u{f1}".utf8) })
  }

  @Test("A text that is not unique is copied as it was written")
  func plainToPlain() throws {
    try expectSame({ $0.set(\.remark, to: #Expression<Copied.Memo, String> { $0.note }) }, { $0.remark = $0.note })
  }

  @Test("Texts of other rows and other properties keep their form")
  func others() throws {
    try expectSame(
      {
        $0.set(\.name, to: #Expression<Copied.Memo, String> { $0.note })
        $0.set(\.count, to: #Expression<Copied.Memo, Int> { $0.count })
      }, { $0.name = $0.note }, where: #Predicate { $0.count == 0 })
    #expect(try rows(container).map { $0[1] } == Self.texts.map { Array($0.utf8) })
  }

  @Test("A captured text gets the form of the property that is set")
  func captured() throws {
    try expectSame(
      {
        $0.set(\.name, to: "u\u{308}")
        $0.set(\.note, to: "u\u{308}")
        $0.set(\.remark, to: "u\u{308}")
      }, { ($0.name, $0.note, $0.remark) = ("u\u{308}", "u\u{308}", "u\u{308}") }, where: #Predicate { $0.count == 2 })
  }

  @Test("Copies that would repeat a unique text in another form are refused")
  func clash() throws {
    let context = container.freshContext()
    let memo = try #require(try context.all(Memo.self, by: \.count).last)
    memo.note = "caf\u{e9}"
    try context.save()
    let before = try rows(container)
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Memo.self) { $0.set(\.name, to: #Expression<Copied.Memo, String> { $0.note }) }
    }
    #expect(try rows(container) == before)
  }

  @Test("Exchanged unique texts keep their form")
  func exchanged() throws {
    let context = container.freshContext()
    let memos = try context.all(Memo.self, by: \.count)
    for (memo, next) in zip(memos, memos.dropFirst() + memos.prefix(1)) { memo.note = next.name }
    try context.save()
    let names = try rows(container).map { $0[0] }
    try context.update(Memo.self) { $0.set(\.name, to: #Expression<Copied.Memo, String> { $0.note }) }
    #expect(try rows(container).map { $0[0] } == Array(names.dropFirst() + names.prefix(1)))
  }
}
