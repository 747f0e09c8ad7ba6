import Foundation
import SwiftData
import Workload

/// Fetches the transactions after a token, of one change each.
final class FetchTransactions: Work {
  private let context: ModelContext
  private let token: DefaultHistoryToken
  private var transactions: [DefaultHistoryTransaction] = []

  init(_ store: ItemStore) throws {
    context = store.makeContext()
    for item in try context.batch().prefix(Selection.singleChanges + 1) {
      item.count += 1
      try context.save()
    }
    let all = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: [])
    guard let first = try context.fetchHistory(all).first else { throw CocoaError(.coderValueNotFound) }
    token = first.token
  }

  func run() throws -> Int {
    let last = token
    let descriptor = HistoryDescriptor(predicate: #Predicate<DefaultHistoryTransaction> { $0.token > last })
    transactions = try context.fetchHistory(descriptor)
    var properties = 0
    for transaction in transactions {
      for case .update(let update as DefaultHistoryUpdate<Item>) in transaction.changes {
        properties += update.updatedAttributes.count
      }
    }
    return properties
  }

  func finish() throws -> Outcome {
    transactions = []
    return .nothing
  }
}
