import FaultyDriver
import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Stages without code, which run in the store's file")
struct StagesInPlaceTests {
  private let store: TrailStore

  init() throws {
    store = try TrailStore()
  }

  private static let stages: [MigrationStage] = [
    .lightweight(fromVersion: TrailV1.self, toVersion: TrailV2.self), TrailPlan.toThird,
    .lightweight(fromVersion: TrailV3.self, toVersion: TrailV4.self),
  ]

  private static let lastHikes = [
    "Ben 17 false true /Ada Lovelace,/Grace", "Loch 4 false false /Grace,/Ada Lovelace",
  ]

  private func open(_ store: TrailStore) throws {
    _ = try TrailPlan.$chosenStages.withValue(Self.stages) { try store.open(TrailV4.self) }
  }

  /// Whether a store has the last version. Checks that it has all values of that version, or else of the first one.
  private func isNew(_ store: TrailStore) throws -> Bool {
    let version = try StoreFiles.texts(
      "SELECT value FROM swiftdata_metadata WHERE key = 'schema_version'", at: store.url)
    let isNew = version == ["4.0.0"]
    if isNew {
      #expect(try store.lastHikes() == Self.lastHikes)
    } else {
      #expect(version == ["1.0.0"])
      try store.expectFirst()
    }
    #expect(try store.files().count == 1)
    #expect(try store.leftovers() == [])
    return isNew
  }

  @Test("A failure of any database call leaves the store with all stages or none")
  func failuresAtEachCall() throws {
    try store.writeFirst()
    var (old, new) = (0, 0)
    for call in 0... {
      let copy = try TrailStore()
      try FileManager.default.removeItem(at: copy.folder.url)
      try FileManager.default.copyItem(at: store.folder.url, to: copy.folder.url)
      let faults = CallFailures()
      faults.fail(call...call)
      var isDone = false
      do {
        try DatabaseInterception.$wrap.withValue(faults.wrap) { try open(copy) }
        isDone = true
      } catch {
        #expect(error is SwiftDataError, "\(error)")
      }
      let failures = faults.stop()
      if try isNew(copy) {
        new += 1
      } else {
        old += 1
        #expect(!isDone)
      }
      if failures == 0 { break }
    }
    #expect(old > 5 && new > 0)
  }

  @Test("Stages that run out of space change nothing", .enabled(if: SmallDisk.isAvailable), arguments: [0, 64, 3000])
  func fullDisk(kilobytes: UInt64) throws {
    let disk = try SmallDisk(at: store.folder.url, kilobytes: 4000)
    defer { disk.remove() }
    try store.writeFirst()
    let filler = store.folder.file("filler")
    try Data().write(to: filler)
    let handle = try FileHandle(forWritingTo: filler)
    let block = Data(repeating: 1, count: 4096)
    while (try? handle.write(contentsOf: block)) != nil {}
    try handle.truncate(atOffset: handle.seekToEnd() - kilobytes * 1024)
    try handle.close()
    var isDone = false
    do {
      try open(store)
      isDone = true
    } catch {
      #expect(error is SwiftDataError, "\(error)")
    }
    try FileManager.default.removeItem(at: filler)
    #expect(try isNew(store) == isDone)
    if kilobytes != 64 { #expect(isDone == (kilobytes > 0)) }
    try open(store)
    #expect(try store.lastHikes() == Self.lastHikes)
  }
}
