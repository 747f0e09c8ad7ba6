import Foundation
import HelperPrograms
import KillTestModels
import SwiftData
import Testing

@testable import TestSupport

@Suite("Documents and other processes")
@MainActor
struct OtherProcessTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A document shows what another process saves")
  func seen() async throws {
    let url = folder.file("First.ledgers")
    let document = try PersistentDocument(creatingAt: url, type: .ledgers)
    let writer = try HelperProcess("KillTestWriter", [url.appendingPathComponent("Contents.store").path])
    #expect(try await comesTrue { try document.modelContext.fetchCount(FetchDescriptor<Ledger>()) >= 5 })
    writer.send(SIGKILL)
    _ = try writer.end()
    #expect(!document.isEdited)
    try document.close()
    #expect(!(try FileManager.default.names(in: url).contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }))
  }

  @Test(
    "A document that another process has open exclusively is refused until the process closes it or ends",
    arguments: [true, false])
  func refused(isKilled: Bool) throws {
    let url = folder.file("First.ledgers")
    try PersistentDocument(creatingAt: url, type: .ledgers).close()
    let process = try HelperProcess("KillTestWriter", ["hold", url.path])
    #expect(process.nextOutput() == Data("open\n".utf8))
    for access in [PersistentDocument.Access.editing, .exclusiveEditing, .viewing] {
      #expect(throws: SwiftDataError.documentInUse) {
        try PersistentDocument(openingAt: url, type: .ledgers, for: access)
      }
    }
    if isKilled { process.send(SIGKILL) } else { try process.writeLine("close") }
    #expect(try process.end().isOrderly != isKilled)
    let document = try PersistentDocument(openingAt: url, type: .ledgers, for: .exclusiveEditing)
    try document.close()
  }

  /// The last acknowledgement of a writer for each document.
  private func run(for microseconds: UInt32) throws -> [Int: String] {
    let process = try HelperProcess("KillTestWriter", ["documents", folder.url.path])
    var output = process.nextOutput()
    usleep(microseconds)
    process.send(SIGKILL)
    let ending = try process.end()
    output += ending.output
    #expect(ending.complaint == "")
    var deeds: [Int: String] = [:]
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    {
      let parts = line.split(separator: " ")
      if parts.count == 2, let number = Int(parts[1]) { deeds[number] = String(parts[0]) }
    }
    return deeds
  }

  @Test("A killed process leaves valid documents, and the next opening removes its temporary files")
  func killed() throws {
    var random = SeededGenerator(seed: TestOptions.seed)
    for _ in 0..<TestOptions.killRounds {
      let deeds = try run(for: UInt32.random(in: 0...60_000, using: &random))
      let last = deeds.keys.max() ?? 0
      for number in 1...(last + 1) {
        let url = LedgerDocuments.url(number, in: folder.url)
        // An empty folder may exist, which a new document replaces.
        let isThere = FileManager.default.fileExists(atPath: url.appendingPathComponent("Contents.store").path)
        if number <= last { #expect(isThere, "document \(number) was \(deeds[number] ?? "")") }
        let document =
          try isThere
          ? PersistentDocument(openingAt: url, type: .ledgers) : PersistentDocument(creatingAt: url, type: .ledgers)
        if isThere { try check(document, deeds[number]) }
        try document.close()
        #expect(
          Set(try FileManager.default.names(in: url)).isSubset(of: ["Contents.store", ".Contents.store_SUPPORT"]))
        try FileManager.default.removeItem(at: url)
      }
      #expect(try FileManager.default.names(in: folder.url) == [])
    }
  }

  private func check(_ document: PersistentDocument, _ deed: String?) throws {
    let ledgers = try document.modelContext.fetch(FetchDescriptor<Ledger>(sortBy: [SortDescriptor(\.number)]))
    let expected =
      switch deed {
      case nil: [[1], [1, 2]]
      case "created": [[1], [1, 2]]
      case "saved": [[1, 2], [1, 2, 3]]
      default: [[1, 2]]
      }
    #expect(expected.contains(ledgers.map(\.number)), "\(ledgers.map(\.number)) after \(deed ?? "nothing")")
    let isChanged = ledgers.count == 3
    #expect(ledgers.first?.blob == (isChanged ? Data(repeating: 8, count: 140_000) : LedgerDocuments.blob))
  }
}
