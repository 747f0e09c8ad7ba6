/// Why a data store refuses a request. A context answers the two `preferInMemory` cases by doing that part itself.
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
