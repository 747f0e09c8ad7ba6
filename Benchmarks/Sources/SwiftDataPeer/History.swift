import Foundation
import SwiftData

/// The history that a store keeps.
enum History {
  /// None, as in all scenarios that do not measure history.
  case none
  /// The default of stores.
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
  /// The last committed transaction; nil if there is none.
  func lastTransaction() throws -> DefaultHistoryTransaction? {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    descriptor.fetchLimit = 1
    return try fetchHistory(descriptor).first
  }
}
