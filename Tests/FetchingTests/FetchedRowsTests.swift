import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("The rows of a fetch in batches")
struct FetchedRowsTests {
  /// Rows whose entities and keys have no simple relation to their positions.
  private func row(_ position: Int) -> RowKey {
    RowKey(key: Int64(position * 7919 % 10_007 + 1), entity: position % 3)
  }

  private func makeRows(_ count: Int, capacity: Int) throws -> FetchedRows {
    let rows = FetchedRows(of: "test", capacity: capacity)
    for position in 0..<count { try rows.append(row(position)) }
    return rows
  }

  @Test("The rows of a fetch are the same in memory and in a file", arguments: [0, 1, 9, 10, 11, 20, 25, 100])
  func positions(count: Int) throws {
    let rows = try makeRows(count, capacity: 10)
    #expect(rows.count == count)
    for start in 0...count {
      for end in [start, start + 1, start + 7, start + 23, count] where start <= end && end <= count {
        #expect(try rows.rows(at: start..<end) == (start..<end).map(row))
      }
    }
    for position in (0..<count).reversed() + Array(0..<count) {
      #expect(try rows.row(at: position) == row(position))
    }
  }

  @Test("Rows can be added after others were read")
  func interleaving() throws {
    let rows = FetchedRows(of: "test", capacity: 4)
    for position in 0..<50 {
      try rows.append(row(position))
      #expect(try rows.rows(at: 0..<position + 1) == (0...position).map(row))
    }
  }

  @Test("No more rows than the capacity stay in memory")
  func memory() throws {
    let rows = try makeRows(10_000, capacity: 64)
    #expect(rows.countInMemory <= 64)
    _ = try rows.row(at: 17)
    #expect(rows.countInMemory <= 128)
  }

  @Test("Batched results beyond the capacity have the order of the fetch")
  func largeResult() throws {
    let context = ModelContext(try makeLibrary())
    let count = FetchedRows.capacity + 2_000
    for number in 0..<count { context.insert(Tag(String(number % 1_000))) }
    try context.save()
    let descriptor = FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.word), SortDescriptor(\.persistentModelID)])
    let tags = try context.fetch(descriptor, batchSize: 100)
    let identifiers = try context.fetchIdentifiers(descriptor, batchSize: 100)
    #expect(tags.count == count && identifiers.count == count)
    let expected = try context.fetchIdentifiers(descriptor)
    for position in stride(from: 0, to: count, by: 997) {
      #expect(identifiers[position] == expected[position])
      #expect(tags[position].persistentModelID == expected[position])
    }
    var visited = 0
    try context.enumerate(descriptor, batchSize: 10_000) { tag in
      #expect(tag.persistentModelID == expected[visited])
      visited += 1
    }
    #expect(visited == count)
  }
}
