#if !canImport(Darwin)
  public import Foundation

  // On Apple's platforms these initializers are Foundation's, with the same default.

  extension SortDescriptor {
    /// Sorts by a string in the order of file names in lists.
    ///
    /// The strings `a A b é 9 10` are sorted as `9 10 a A b é`.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
      self.init(LocalizedKeyPath.standard(keyPath), order: order)
    }

    /// Sorts by a string with the rules and the direction of `comparator`.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringComparator
    ) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Sorts by a string with the rules of `comparator` and the direction `order`.
    ///
    /// The direction of the comparator itself has no effect.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringComparator,
      order: SortOrder
    ) {
      if comparator.isStandard {
        self.init(LocalizedKeyPath.standard(keyPath), order: order)
      } else {
        self.init(LocalizedKeyPath.plain(keyPath), order: order)
      }
    }

    /// Sorts by an optional string in the order of file names in lists.
    ///
    /// The strings `a A b é 9 10` are sorted as `9 10 a A b é`. In ascending order nil comes before all strings.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
      self.init(LocalizedKeyPath.standard(keyPath), order: order)
    }

    /// Sorts by an optional string with the rules and the direction of `comparator`.
    ///
    /// In ascending order nil comes before all strings.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringComparator
    ) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Sorts by an optional string with the rules of `comparator` and the direction `order`.
    ///
    /// In ascending order nil comes before all strings. The direction of the comparator itself has no effect.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringComparator,
      order: SortOrder
    ) {
      if comparator.isStandard {
        self.init(LocalizedKeyPath.standard(keyPath), order: order)
      } else {
        self.init(LocalizedKeyPath.plain(keyPath), order: order)
      }
    }
  }
#endif
