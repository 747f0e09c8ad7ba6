public import Foundation

/// Describes a fetch: which models of a type, in which order, and how many.
public struct FetchDescriptor<T: PersistentModel> {
  /// The condition that selects the models; all models of the type when nil.
  public var predicate: Predicate<T>?
  /// The sort order.
  ///
  /// Models that the descriptors do not order are in the order of their identifiers, with unsaved models last.
  public var sortBy: [SortDescriptor<T>]
  /// The largest number of models to return; no limit when nil or 0.
  ///
  /// A fetch with a negative limit throws.
  public var fetchLimit: Int?
  /// The number of models to skip; none when nil.
  ///
  /// A fetch with a negative offset throws.
  public var fetchOffset: Int?
  /// Whether unsaved insertions, changes and deletions affect which models are returned.
  ///
  /// The default is true. When it is false, models are selected and sorted by their saved values. The returned objects
  /// still have their unsaved values.
  public var includePendingChanges = true
  /// The properties that the fetch reads; all properties when empty.
  ///
  /// When another property is accessed later, the rest of the model is read, together with that of its neighbours in
  /// the result. A model that the context has read before keeps all of its values. A relationship to many models is
  /// read when it is accessed, whether it is named here or not. Custom stores may read more. A fetch throws
  /// ``SwiftDataError/unsupportedKeyPath`` when a key path does not lead to a persisted property.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// Key paths of relationships whose models are read together with the fetched models.
  ///
  /// A key path may lead through several relationships; each of them takes one statement. A fetch throws
  /// ``SwiftDataError/unsupportedKeyPath`` when a key path leads through anything but relationships.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  /// Makes a description of a fetch of the models that `predicate` selects, in the order of `sortBy`.
  ///
  /// - Parameters:
  ///   - predicate: The condition on the models; all models of the class when nil.
  ///   - sortBy: The order of the models; no particular one when empty.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension FetchDescriptor {
  /// The largest number of models to return; nil when there is none.
  var limit: Int? { fetchLimit == 0 ? nil : fetchLimit }
}

// Predicates, sort descriptors and key paths are immutable, though not all of their types are `Sendable`.
extension FetchDescriptor: @unchecked Sendable {}

extension FetchDescriptor: Equatable {
  /// Whether both descriptors describe the same fetch.
  ///
  /// Two predicates are equal when one is a copy of the other, or when they are written alike and capture equal values.
  /// A predicate that cannot be compared in this way, such as one that captures a collection, is equal to its copies
  /// only.
  public static func == (lhs: FetchDescriptor<T>, rhs: FetchDescriptor<T>) -> Bool {
    lhs.sortBy == rhs.sortBy && lhs.fetchLimit == rhs.fetchLimit && lhs.fetchOffset == rhs.fetchOffset
      && lhs.includePendingChanges == rhs.includePendingChanges && lhs.propertiesToFetch == rhs.propertiesToFetch
      && lhs.relationshipKeyPathsForPrefetching == rhs.relationshipKeyPathsForPrefetching
      && areSame(lhs.predicate, rhs.predicate)
  }

  private static func areSame(_ left: Predicate<T>?, _ right: Predicate<T>?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.variable.key == right.variable.key
      || PredicateShape.identity(of: left) == PredicateShape.identity(of: right)
  }
}
