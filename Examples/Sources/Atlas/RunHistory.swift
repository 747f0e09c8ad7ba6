import Foundation
import SwiftData

/// The history of one run: all transactions after the last one before the run.
@MainActor
struct RunHistory {
  private let context: ModelContext
  private let start: DefaultHistoryToken?

  init(_ container: ModelContainer) throws {
    context = container.mainContext
    var last = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    last.fetchLimit = 1
    start = try context.fetchHistory(last).first?.token
  }

  func show(in report: Report) throws {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let start { descriptor.predicate = #Predicate { $0.token > start } }
    let transactions = try context.fetchHistory(descriptor)
    report.heading("History of this run")
    if transactions.isEmpty { report.line("Nothing was changed.") }
    report.columns(
      transactions.map { ("transaction \($0.transactionIdentifier) of \($0.processIdentifier)", summary(of: $0)) })
  }

  private func summary(of transaction: DefaultHistoryTransaction) -> String {
    var (inserted, updated, deleted) = (0, 0, 0)
    for change in transaction.changes {
      switch change {
      case .insert: inserted += 1
      case .update: updated += 1
      case .delete: deleted += 1
      }
    }
    let parts = [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
