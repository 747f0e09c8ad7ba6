import Testing

@testable import SwiftData
@testable import TestSupport

/// Lists with enough rows for many chunks.
@Suite("Ordered rows")
struct OrderedRowsTests {
  private static let entity = 3

  private static func row(_ key: Int64) -> RowKey { RowKey(key: key, entity: entity) }

  @Test("A list of many chunks equals an array after the same changes", arguments: [UInt64(1), 2, 3])
  func randomChanges(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var array = (1...Int64(6_000)).shuffled(using: &random).map(Self.row)
    var rows = OrderedRows(array)
    var nextKey = Int64(6_001)
    for step in 0..<100 {
      let (formerArray, former) = (array, rows)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        // In one range, so that chunks become empty.
        let count = Int.random(in: 1...min(600, array.count / 4), using: &random)
        let start = Int.random(in: 0...array.count - count, using: &random)
        rows.remove(at: Array(start..<start + count))
        array.removeSubrange(start..<start + count)
      case 1:
        let position = Int.random(in: 0...array.count, using: &random)
        let added = (0..<Int.random(in: 1...700, using: &random)).map { Self.row(nextKey + Int64($0)) }
        nextKey += Int64(added.count)
        rows.insert(added.map { (position, $0) })
        array.insert(contentsOf: added, at: position)
      case 2:
        let from = Int.random(in: 0..<array.count, using: &random)
        let row = array.remove(at: from)
        rows.remove(at: [from])
        let position = Int.random(in: 0...array.count, using: &random)
        rows.insert([(position, row)])
        array.insert(row, at: position)
      default:
        let position = Int.random(in: 0..<array.count, using: &random)
        rows.replaceKeys([array[position].key: nextKey])
        array[position].key = nextKey
        nextKey += 1
      }
      #expect(rows.rows(at: 0..<rows.count) == array, "step \(step)")
      for position in stride(from: step % 40, to: array.count, by: 40) {
        #expect(rows[position] == array[position])
        #expect(rows.position(of: array[position].key) == position, "step \(step)")
      }
      #expect(rows.position(of: -1) == nil)
      if let gone = Set(formerArray).subtracting(array).first { #expect(rows.position(of: gone.key) == nil) }
      #expect(applied(ResultsDifference(from: former, to: rows), to: formerArray, reaching: array) == array)
    }
  }

  private func applied(
    _ difference: ResultsDifference, to former: [RowKey], reaching rows: [RowKey]
  ) -> [RowKey] {
    let taken = Set(difference.removed + difference.moved.map(\.from))
    var list = former.indices.filter { !taken.contains($0) }.map { former[$0] }
    let arrivals =
      difference.inserted.map { ($0, rows[$0]) } + difference.moved.map { ($0.to, former[$0.from]) }
    for (position, row) in arrivals.sorted(by: { $0.0 < $1.0 }) { list.insert(row, at: position) }
    return list
  }
}
