#if !canImport(Darwin)
  public import Foundation

  // The compiler prefers these to Foundation's initializers, which take a comparator of any type and use its `compare`.

  extension KeyPathComparator {
    /// Compares by a string with the rules and the direction of `comparator`.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, comparator: String.StandardComparator) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Compares by a string with the rules of `comparator` and the direction `order`.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: String.StandardComparator, order: SortOrder
    ) {
      if let localized = comparator.localizedComparator {
        self.init(keyPath, comparator: localized, order: order)
      } else {
        self.init(generic: keyPath, comparator, order)
      }
    }

    /// Compares by an optional string with the rules and the direction of `comparator`; nil comes first in ascending
    /// order.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: String.StandardComparator) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Compares by an optional string with the rules of `comparator` and the direction `order`; nil comes first in
    /// ascending order.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: String.StandardComparator, order: SortOrder
    ) {
      if let localized = comparator.localizedComparator {
        self.init(keyPath, comparator: localized, order: order)
      } else {
        self.init(genericOptional: keyPath, comparator, order)
      }
    }

    private init<Rules: SortComparator>(
      generic keyPath: any KeyPath<Compared, Rules.Compared> & Sendable, _ rules: Rules, _ order: SortOrder
    ) {
      self.init(keyPath, comparator: rules, order: order)
    }

    private init<Rules: SortComparator>(
      genericOptional keyPath: any KeyPath<Compared, Rules.Compared?> & Sendable, _ rules: Rules, _ order: SortOrder
    ) {
      self.init(keyPath, comparator: rules, order: order)
    }
  }
#endif
