/// Why a data store of somebody else's refuses a request. This release has no such stores yet, and throws none of these.
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
