/// Why a ``DataStore`` refuses a request.
public enum DataStoreError: Error, Hashable {
  /// The store has no such feature.
  case unsupportedFeature
  /// The store cannot evaluate the predicate: fetch without it, and filter the models in memory.
  case preferInMemoryFilter
  /// The store cannot order by the sort descriptors: fetch without them, and sort the models in memory.
  case preferInMemorySort
  /// The predicate is malformed for this store; filtering in memory would not help.
  case invalidPredicate
}
