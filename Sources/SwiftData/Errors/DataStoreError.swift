/// The reason why a ``DataStore`` refuses a request.
public enum DataStoreError: Error, Hashable {
  /// The store does not support the operation.
  case unsupportedFeature
  /// The store cannot evaluate the predicate.
  ///
  /// The context fetches again without it, and filters the models in memory.
  case preferInMemoryFilter
  /// The store cannot sort by the descriptors.
  ///
  /// The context fetches again without them, and sorts the models in memory.
  case preferInMemorySort
  /// The predicate is malformed for this store; filtering in memory would not help.
  case invalidPredicate
}
