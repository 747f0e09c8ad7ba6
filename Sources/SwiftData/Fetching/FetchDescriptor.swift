public import Foundation

/// What to fetch: which models of a type, in which order, and how many.
public struct FetchDescriptor<T: PersistentModel> {
  /// Which models; all of the type when nil.
  public var predicate: Predicate<T>?
  /// The order. Ties, and models without any order, come in the order of their identifiers, unsaved models last.
  public var sortBy: [SortDescriptor<T>]
  /// The largest number of models to return; no limit when nil.
  public var fetchLimit: Int?
  /// The number of models to pass over; none when nil.
  public var fetchOffset: Int?
  /// Whether unsaved insertions, changes and deletions count for which models are returned. The default is true.
  ///
  /// When it is false, the answer is what the store has; the models themselves still show their unsaved values.
  public var includePendingChanges = true
  /// The properties to read at once; all when empty.
  ///
  /// The others are read when one of them is touched, those of neighbouring models along with it. A model that this
  /// context has read already keeps all of its values. A relationship to many models is read when it is asked for,
  /// whether it is named here or not. Stores of one's own may read more.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// Relationships to read along with the models, in one statement for each that a path goes through.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  /// Describes a fetch of the models that `predicate` selects, ordered by `sortBy`.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

// Predicates, sort descriptors and key paths are values that never change, though not all of them say so in their type.
extension FetchDescriptor: @unchecked Sendable {}

extension FetchDescriptor: Equatable {
  /// Whether both describe the same fetch.
  ///
  /// Predicates are the same when one is a copy of the other, and when they are written alike and capture equal values.
  /// Of some, such as those that capture a collection, only copies can be told to be the same.
  public static func == (lhs: FetchDescriptor<T>, rhs: FetchDescriptor<T>) -> Bool {
    lhs.sortBy == rhs.sortBy && lhs.fetchLimit == rhs.fetchLimit && lhs.fetchOffset == rhs.fetchOffset
      && lhs.includePendingChanges == rhs.includePendingChanges && lhs.propertiesToFetch == rhs.propertiesToFetch
      && lhs.relationshipKeyPathsForPrefetching == rhs.relationshipKeyPathsForPrefetching
      && areSame(lhs.predicate, rhs.predicate)
  }

  private static func areSame(_ left: Predicate<T>?, _ right: Predicate<T>?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if left.variable.key == right.variable.key { return true }
    guard let shape = PredicateShape(of: left, entity: 0), let other = PredicateShape(of: right, entity: 0) else {
      return false
    }
    return shape.key == other.key && shape.captured == other.captured
  }
}
