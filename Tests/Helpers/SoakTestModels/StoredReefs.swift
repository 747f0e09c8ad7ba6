package import Foundation
import SwiftData

/// A store's contents, read by a new container.
package struct StoredReefs: Sendable {
  package let statement: ReefStatement
  /// The rows that were deleted at some time. Some may have been reinserted.
  let deleted: Set<PersistentIdentifier>

  package init(at url: URL) throws {
    let context = ModelContext(try openReefs(at: url))
    statement = try ReefStatement(context)
    var deleted: Set<PersistentIdentifier> = []
    for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
      for case .delete(let deletion) in transaction.changes { deleted.insert(deletion.changedPersistentIdentifier) }
    }
    self.deleted = deleted
  }
}
