import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Unique values after the 63rd property, in updates that depend on inserted models")
struct WideSwapTests {
  private func make(_ codes: [Int]) throws -> (ModelContainer, ModelContext, [Wide.WideSwapRow]) {
    let container = try makeContainer(Wide.WideSwapRow.self, Wide.WideSwapFriend.self)
    let context = ModelContext(container)
    context.autosaveEnabled = false
    let rows = codes.map { Wide.WideSwapRow("r\($0)", $0) }
    for row in rows { context.insert(row) }
    try context.save()
    return (container, context, rows)
  }

  private func saved(_ container: ModelContainer) throws -> [String: Int] {
    let rows = try container.freshContext().fetch(FetchDescriptor<Wide.WideSwapRow>())
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.code) })
  }

  @Test("Rows exchange unique values while both get a new friend")
  func swap() throws {
    let (container, context, rows) = try make([1, 2])
    rows[0].code = 2
    rows[1].code = 1
    rows[0].friend = Wide.WideSwapFriend("a")
    rows[1].friend = Wide.WideSwapFriend("b")
    try context.save()
    #expect(try saved(container) == ["r1": 2, "r2": 1])
  }

  @Test("Rows pass unique values on in a chain while all get a new friend", arguments: [true, false])
  func chain(isForward: Bool) throws {
    let (container, context, rows) = try make([1, 2, 3])
    for row in isForward ? rows : rows.reversed() {
      row.code += 1
      row.friend = Wide.WideSwapFriend(row.name)
    }
    try context.save()
    #expect(try saved(container) == ["r1": 2, "r2": 3, "r3": 4])
  }

  @Test("Rows exchange unique values without friends")
  func swapWithoutFriends() throws {
    let (container, context, rows) = try make([1, 2])
    rows[0].code = 2
    rows[1].code = 1
    try context.save()
    #expect(try saved(container) == ["r1": 2, "r2": 1])
  }
}
