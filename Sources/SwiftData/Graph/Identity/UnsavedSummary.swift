/// A summary of an entity tree's unsaved changes, so that a fetch need not check each unsaved model. Until the next save or
/// rollback it may include too much, and never too little.
final class UnsavedSummary {
  var hasInserted = false
  var hasDeleted = false
  /// The changed properties of all persistent models, in the format of `_ModelState.dirty`.
  var changedProperties: UInt64 = 0
  /// Made by the first fetch that needs it.
  var inserted: InsertedIndex?

  /// Whether the journal's list of summaries to reset has it.
  var isListed = false

  var isEmpty: Bool { !hasInserted && !hasDeleted && changedProperties == 0 }

  func reset() {
    hasInserted = false
    hasDeleted = false
    changedProperties = 0
    inserted = nil
    isListed = false
  }
}
