import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum WorkingWithSeveralContextsGuide {
  typealias Account = ConcurrencyGuide.Account

  static func save(_ context: ModelContext) throws {
    context.mergePolicy = .throwOnConflict
    do {
      try context.save()
    } catch let error as SwiftDataError where error == .mergeConflict {
      let conflicts = error.details?.conflicts ?? []
      for conflict in conflicts where conflict.property == "balance" {
        guard let account = context.model(for: conflict.persistentIdentifier) as? Account,
          let original = conflict.originalValue as? Int, let stored = conflict.storedValue as? Int
        else { continue }
        // Both have changed the balance by an amount: apply both amounts.
        account.balance += stored - original
      }
      // Resolves all conflicts, also conflicts of other properties and models: their stored values are overwritten.
      try context.resolve(conflicts, keeping: .context)
      try context.save()
    }
  }

  static func compare(_ context: ModelContext, _ account: Account) throws {
    if try context.committedValue(of: \.balance, in: account) != account.balance { print("changed") }
  }
}
