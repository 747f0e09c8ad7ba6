/// What few models have, so that those that have nothing of it take no memory for it.
@usableFromInline
final class ModelExtras {
  @exclusivity(unchecked) @usableFromInline final var observers: ModelObservers?
  /// What changed since the last save.
  @exclusivity(unchecked) final var change: ChangeRecord?
}
