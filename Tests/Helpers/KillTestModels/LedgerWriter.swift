import Foundation
public import SwiftData

/// Writes one graph after the other. Only the number of the save decides its contents.
public struct LedgerWriter {
  /// The number of ledgers to keep; older ones are deleted.
  public static let window = 20

  private let context: ModelContext
  private let summary: Summary

  public init(_ container: ModelContainer) throws {
    context = ModelContext(container)
    if let existing = try context.fetch(FetchDescriptor<Summary>()).first {
      summary = existing
    } else {
      summary = Summary()
      context.insert(summary)
    }
  }

  /// Writes the next ledger, rewrites the one before and deletes the oldest, in one save.
  ///
  /// - Returns: The number of the ledger.
  public func writeNext() throws -> Int {
    let number = summary.latest + 1
    let ledgers = try context.fetch(FetchDescriptor<Ledger>())
    let marks = try context.fetch(FetchDescriptor<Mark>())
    let ledger = Ledger(number: number)
    fill(ledger, marks)
    context.insert(ledger)
    if let previous = ledgers.first(where: { $0.number == number - 1 }) {
      previous.revision += 1
      fill(previous, marks)
    }
    if let oldest = ledgers.first(where: { $0.number <= number - Self.window }) {
      summary.ledgers -= 1
      summary.entries -= oldest.entryCount
      context.delete(oldest)
    }
    summary.latest = number
    summary.ledgers += 1
    try context.save()
    return number
  }

  /// Adds one to the summary's latest, in a transaction each, and takes as much from its ledgers.
  public static func count(_ times: Int, in container: ModelContainer) throws {
    let context = ModelContext(container)
    guard let summary = try context.fetch(FetchDescriptor<Summary>()).first else { return }
    for _ in 0..<times {
      try context.transaction {
        summary.latest += 1
        summary.ledgers -= 1
      }
    }
  }

  private func fill(_ ledger: Ledger, _ marks: [Mark]) {
    let seed = ledger.number * 31 + ledger.revision * 7
    for entry in ledger.entries { context.delete(entry) }
    summary.entries -= ledger.entryCount
    ledger.entries = (0...(seed % 6)).map { Entry(amount: seed * 10 + $0) }
    ledger.entryCount = ledger.entries.count
    ledger.entrySum = ledger.entries.reduce(0) { $0 + $1.amount }
    summary.entries += ledger.entryCount
    let words = Set((0..<(1 + seed % 3)).map { "mark \((seed + $0 * 5) % 11)" }).sorted()
    ledger.marks = words.map { word in
      marks.first { $0.word == word } ?? Mark(word: word)
    }
    ledger.markCount = ledger.marks.count
    // Every second blob is large enough for a file of its own.
    let size = seed % 2 == 0 ? 140_000 + seed % 5000 : seed % 500
    ledger.blob = Data(repeating: UInt8(truncatingIfNeeded: seed), count: size)
    ledger.blobSize = size
    ledger.blobCheck = seed & 0xff
  }
}
