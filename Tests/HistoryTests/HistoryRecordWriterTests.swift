import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Encoding of history records")
struct HistoryRecordWriterTests {
  private let store: LoggedStore
  private let layout: StoreLayout

  init() throws {
    store = try LoggedStore()
    layout = try #require(store.container.stores[0] as? RelationalStore).layout
  }

  private func read(_ writer: HistoryRecordWriter) throws -> HistoryRecord {
    try writer.bytes.withUnsafeBytes { try HistoryRecord(reading: $0) { _ in .max } }
  }

  @Test("A record of no changes is empty")
  func empty() throws {
    let writer = HistoryRecordWriter(origin: 7)
    #expect(writer.isEmpty)
    let record = try read(writer)
    #expect(record.origin == 7)
    #expect(record.groups.isEmpty)
  }

  @Test("Every kind of group is decoded as it was encoded")
  func kinds() throws {
    let trip = try #require(layout.layout(named: "LoggedTrip"))
    var writer = HistoryRecordWriter(origin: .max)
    writer.add(insertionsInto: trip, [1, 2, 3, 9])
    let indices = try ["days", "lodging"].map { try #require(trip.property(named: $0)).index }
    writer.add(updatesOf: trip, ChangedProperties(indices), [4, 1 << 40])
    writer.add(deletionsFrom: trip, [6, 7], [1: [1, 2, 3]])
    let record = try read(writer)
    #expect(record.origin == .max)
    #expect(record.groups.map(\.kind) == [.insert, .update, .delete])
    #expect(record.groups.map(\.keys) == [[1, 2, 3, 9], [4, 1 << 40], [6, 7]])
    #expect(record.groups.map(\.count) == [4, 2, 2])
    #expect(record.groups.allSatisfy { $0.entity == "LoggedTrip" })
    #expect(Set(record.groups[1].properties) == ["days", "lodging"])
    #expect(record.groups[2].tombstones == [1: [1, 2, 3]])
  }

  @Test("A record of an earlier version with a reinserted row is decoded")
  func revival() throws {
    let trip = try #require(layout.layout(named: "LoggedTrip"))
    var writer = HistoryRecordWriter(origin: 1)
    writer.add(insertionsInto: trip, [5])
    var bytes = writer.bytes
    // After the version, the origin and the number of groups.
    let place = 1 + MemoryLayout<UInt64>.size + 1
    #expect(bytes[place] == HistoryRecord.Kind.insert.rawValue)
    bytes[place] = HistoryRecord.Kind.revival.rawValue
    let record = try bytes.withUnsafeBytes { try HistoryRecord(reading: $0) { _ in .max } }
    #expect(record.groups.map(\.kind) == [.revival])
    #expect(record.groups.map(\.keys) == [[5]])
  }

  @Test("A record can have any number of groups", arguments: [1, 127, 128, 129, 16_383, 16_384, 16_385])
  func many(count: Int) throws {
    let guide = try #require(layout.layout(named: "LoggedGuide"))
    var writer = HistoryRecordWriter(origin: 1)
    for number in 1...count { writer.add(insertionsInto: guide, [Int64(number)]) }
    let record = try read(writer)
    #expect(record.groups.map(\.keys) == (1...count).map { [Int64($0)] })
  }
}
