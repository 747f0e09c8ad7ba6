import Foundation
import Relational

/// A transaction of the history: a row of its table.
struct TransactionTerm {
  /// A token of a store is the number of a transaction there.
  static let token = ScalarKind(primitive: Int64.self)

  /// The term for a key path of a transaction.
  func property(_ keyPath: AnyKeyPath, _ context: TranslationContext) throws -> Term {
    if keyPath == \DefaultHistoryTransaction.storeIdentifier { return .constant(context.store.string) }
    guard let column = Self.column(of: keyPath) else {
      throw Untranslatable("\(PredicateDescription.name(of: keyPath)) of a transaction has no SQL form")
    }
    context.recordHistoryColumn(column.name)
    return .scalar(
      ScalarTerm(
        .column(table: Projection.alias, name: column.name), column.kind,
        isOptional: column.name == HistoryTable.author))
  }

  /// The column for a key path of a transaction; nil if there is none.
  static func column(of keyPath: AnyKeyPath) -> (name: String, kind: ScalarKind)? {
    switch keyPath {
    case \DefaultHistoryTransaction.token: (HistoryTable.number, token)
    case \DefaultHistoryTransaction.transactionIdentifier, \DefaultHistoryTransaction.id:
      (HistoryTable.number, ScalarKind(primitive: Int64.self))
    case \DefaultHistoryTransaction.timestamp: (HistoryTable.time, ScalarKind(primitive: Date.self))
    case \DefaultHistoryTransaction.author: (HistoryTable.author, .text)
    case \DefaultHistoryTransaction.processIdentifier: (HistoryTable.process, .text)
    case \DefaultHistoryTransaction.bundleIdentifier: (HistoryTable.bundle, .text)
    default: nil
    }
  }
}
