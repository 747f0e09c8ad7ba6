import Foundation
import SwiftData

/// What a store is to keep of its history.
enum History {
  /// Nothing, as in all scenarios that are not about history.
  case none
  /// What stores keep that are not told anything.
  case usual
  /// Everything.
  case unlimited
}

extension ModelConfiguration {
  init(url: URL, history: History) {
    self.init(url: url)
    switch history {
    case .none: options.history = .none
    case .usual: break
    case .unlimited: options.history = .unlimited
    }
  }
}

extension ModelContext {
  /// The transaction that was committed last; nil if there is none.
  func lastTransaction() throws -> DefaultHistoryTransaction? {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    descriptor.fetchLimit = 1
    return try fetchHistory(descriptor).first
  }
}
