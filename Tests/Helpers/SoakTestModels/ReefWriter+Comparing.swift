package import Foundation
import SwiftData

extension ReefWriter {
  /// Waits until the retained models equal the stored ones, without a fetch, and then compares the rest of the context.
  ///
  /// - Parameters:
  ///   - stored: The store's contents after the last save.
  ///   - end: How long to wait for other contexts' saves.
  /// - Returns: The remaining differences, or nil.
  package func finding(
    against stored: StoredReefs, until end: Date, isolation: isolated (any Actor)? = #isolation
  ) async -> String? {
    do {
      var found = differences(from: stored)
      while !found.isEmpty, Date.now < end {
        // No event says that a context has merged all saves of others, and programs do not have `comesTrue`.
        try await Task.sleep(for: .milliseconds(10))
        found = differences(from: stored)
      }
      if found.isEmpty { found = try ReefStatement(context).differences(from: stored.statement) }
      if !found.isEmpty { return explain(found) }
      return context.hasChanges ? complaint("reading models has left changes").description : nil
    } catch {
      return complaint("the retained models cannot be compared: \(error)").description
    }
  }

  /// Differences between retained models and the store.
  private func differences(from stored: StoredReefs) -> [ReefStatement.Difference] {
    context.processPendingChanges()
    var found: [ReefStatement.Difference] = []
    for model in held {
      let identifier = model.persistentModelID
      guard isMine(model) else {
        if model is Fish, !identifier.isTemporary { detached.insert(identifier) }
        continue
      }
      found += stored.statement.differences(of: identifier, ReefStatement.values(of: model))
      if let other = context.registeredModel(for: identifier, in: model), other !== model {
        let text = "there is another object for \(brief(identifier))"
        found.append(ReefStatement.Difference(identifier: identifier, text: text))
      }
    }
    for identifier in detached
    where stored.statement.models[identifier] != nil && !stored.deleted.contains(identifier) {
      let text = "\(brief(identifier)) has left the context, and was not deleted"
      found.append(ReefStatement.Difference(identifier: identifier, text: text))
    }
    return found
  }

  // MARK: Reporting

  private func explain(_ differences: [ReefStatement.Difference]) -> String {
    var lines = differences.prefix(10).map(\.text)
    if differences.count > lines.count { lines.append("and \(differences.count - lines.count) more") }
    var listed: [PersistentIdentifier] = []
    for difference in differences where listed.count < 3 && !listed.contains(difference.identifier) {
      listed.append(difference.identifier)
      lines += history(of: difference.identifier)
    }
    return complaint(lines.joined(separator: "\n  ")).description
  }

  /// The last changes of a row.
  private func history(of identifier: PersistentIdentifier) -> [String] {
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    guard let transactions = try? context.fetchHistory(descriptor) else { return ["the history cannot be read"] }
    var lines: [String] = []
    for transaction in transactions {
      for change in transaction.changes where change.changedPersistentIdentifier == identifier {
        let author = transaction.author ?? "none"
        lines.append("transaction \(transaction.transactionIdentifier) by \(author): \("\(change)".prefix(300))")
      }
    }
    return Array(lines.suffix(6))
  }
}

extension ModelContext {
  /// The registered object for the row of `model`.
  fileprivate func registeredModel<Model: PersistentModel>(
    for identifier: PersistentIdentifier, in model: Model
  ) -> (any PersistentModel)? {
    let registered: Model? = registeredModel(for: identifier)
    return registered
  }
}
