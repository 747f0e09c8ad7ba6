/// What may be unsaved of an entity tree, so that a fetch need not look at each unsaved model. It can include too much until
/// the next save or rollback, and never too little.
final class UnsavedSummary {
  var hasInserted = false
  var hasDeleted = false
  /// The changed properties of all saved models, as `_ModelState.dirty` has them.
  var changedProperties: UInt64 = 0
  /// Made by the first fetch that uses it.
  var inserted: InsertedIndex?

  /// Whether the journal has it in its list of summaries to reset.
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
