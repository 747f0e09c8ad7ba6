import KillTestModels
import SwiftData

@testable import TestSupport

extension LedgerVerification {
  /// Each save inserts one ledger with the number of the save: every transaction has its record, and every record its
  /// transaction.
  func checkHistory(_ context: ModelContext, _ ledgers: [Ledger], latest: Int) throws -> [String] {
    let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    var findings: [String] = []
    if transactions.count != latest { findings.append("\(transactions.count) records of \(latest) saves") }
    if !zip(transactions, transactions.dropFirst()).allSatisfy({ $0.token < $1.token }) {
      findings.append("records that are in no order")
    }
    var rows: Set<PersistentIdentifier> = []
    for (number, transaction) in zip(1..., transactions) {
      var inserted: [PersistentIdentifier] = []
      var countsUp = false
      for change in transaction.changes {
        let row = change.changedPersistentIdentifier
        if rows.contains(row) == isInsertion(change) {
          findings.append("record \(number) has \(change), which was there: \(rows.contains(row))")
        }
        switch change {
        case .insert(let insert):
          rows.insert(row)
          if insert is DefaultHistoryInsert<Ledger> { inserted.append(row) }
          if insert is DefaultHistoryInsert<Summary> { countsUp = true }
        case .update(let update as DefaultHistoryUpdate<Summary>):
          countsUp = countsUp || update.updatedAttributes.contains { $0 == \Summary.latest }
        case .update: break
        case .delete: rows.remove(row)
        }
      }
      if inserted.count != 1 || !countsUp { findings.append("record \(number) is not that of a save") }
      if let ledger = ledgers.first(where: { $0.number == number }), inserted != [ledger.persistentModelID] {
        findings.append("record \(number) is of another ledger than \(number)")
      }
    }
    if rows != (try storedRows(context)) { findings.append("the records do not lead to the rows that are there") }
    return findings
  }

  private func isInsertion(_ change: HistoryChange) -> Bool {
    if case .insert = change { true } else { false }
  }

  private func storedRows(_ context: ModelContext) throws -> Set<PersistentIdentifier> {
    Set(try context.fetchIdentifiers(FetchDescriptor<Ledger>()))
      .union(try context.fetchIdentifiers(FetchDescriptor<Entry>()))
      .union(try context.fetchIdentifiers(FetchDescriptor<Mark>()))
      .union(try context.fetchIdentifiers(FetchDescriptor<Summary>()))
  }
}
