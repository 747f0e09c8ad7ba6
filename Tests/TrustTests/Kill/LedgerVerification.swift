import Foundation
import KillTestModels
import SwiftData

@testable import TestSupport

/// Reads a store after its writer was killed.
struct LedgerVerification {
  let store: URL

  /// - Parameter acknowledged: The last save that must be present.
  /// - Returns: The last save that is present, and all errors found in the store.
  func run(acknowledged: Int) throws -> (latest: Int, findings: [String]) {
    var findings: [String] = []
    let context = ModelContext(try openLedgers(at: store))
    let summaries = try context.fetch(FetchDescriptor<Summary>())
    let ledgers = try context.fetch(FetchDescriptor<Ledger>())
    let entryCount = try context.fetchCount(FetchDescriptor<Entry>())
    let latest = summaries.first?.latest ?? 0
    if summaries.count > 1 { findings.append("\(summaries.count) summaries") }
    if latest < acknowledged { findings.append("save \(acknowledged) was acknowledged, and \(latest) is the last") }
    if latest > acknowledged + 1 { findings.append("\(latest) was saved after \(acknowledged) was acknowledged") }
    let expected = latest == 0 ? [] : Array(max(1, latest - LedgerWriter.window + 1)...latest)
    if ledgers.map(\.number).sorted() != expected {
      findings.append("ledgers \(ledgers.map(\.number).sorted()) instead of \(expected)")
    }
    if let summary = summaries.first, summary.ledgers != ledgers.count || summary.entries != entryCount {
      findings.append(
        "\(ledgers.count) ledgers, \(entryCount) entries; the summary has \(summary.ledgers), \(summary.entries)")
    }
    for ledger in ledgers { findings += check(ledger, isLatest: ledger.number == latest) }
    findings += try checkHistory(context, ledgers, latest: latest)
    findings += try fileFindings(store)
    return (latest, findings)
  }

  private func check(_ ledger: Ledger, isLatest: Bool) -> [String] {
    var findings: [String] = []
    if ledger.revision != (isLatest ? 0 : 1) { findings.append("revision \(ledger.revision)") }
    if ledger.entries.count != ledger.entryCount || ledger.entries.reduce(0, { $0 + $1.amount }) != ledger.entrySum {
      findings.append("entries \(ledger.entries.map(\.amount)), not \(ledger.entryCount) of \(ledger.entrySum)")
    }
    if ledger.marks.count != ledger.markCount || !ledger.marks.allSatisfy({ $0.ledgers.contains { $0 === ledger } }) {
      findings.append("marks \(ledger.marks.map(\.word)), not \(ledger.markCount)")
    }
    let blob = ledger.blob
    if blob != Data(repeating: UInt8(ledger.blobCheck), count: ledger.blobSize) {
      findings.append("blob of \(blob.count) bytes instead of \(ledger.blobSize)")
    }
    return findings.map { "ledger \(ledger.number): \($0)" }
  }
}
