/// State that few models have, in an object of its own, so that other models take no memory for it.
@usableFromInline
final class ModelExtras {
  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) @usableFromInline final var observers: ModelObservers?
  @exclusivity(unchecked) final var damaged: UInt64 = 0
  @exclusivity(unchecked) final var misread: UInt64 = 0
  @exclusivity(unchecked) final var isMissing = false
  /// The object that stands for the row to which a save has given the model's values, because both have the same unique
  /// ones.
  @exclusivity(unchecked) final var survivor: (any PersistentModel)?
  /// The identifier of a model that belongs to no context, where its key does not say enough.
  @exclusivity(unchecked) final var lastIdentifier: PersistentIdentifier?
}
