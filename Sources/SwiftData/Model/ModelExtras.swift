/// State that few models have. It is a separate object, so that other models use no memory for it.
@usableFromInline
final class ModelExtras {
  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) @usableFromInline final var observers: ModelObservers?
  @exclusivity(unchecked) final var damaged: UInt64 = 0
  @exclusivity(unchecked) final var misread: UInt64 = 0
  @exclusivity(unchecked) final var isMissing = false
  /// The registered object of the row with the same unique values, into which a save has merged this model.
  @exclusivity(unchecked) final var survivor: (any PersistentModel)?
  /// The identifier of a model without a context, where its key is not sufficient.
  @exclusivity(unchecked) final var lastIdentifier: PersistentIdentifier?
}
