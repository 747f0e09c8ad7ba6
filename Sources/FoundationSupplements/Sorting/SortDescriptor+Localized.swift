#if !canImport(Darwin)
  public import Foundation

  // On Apple's platforms these initializers are Foundation's, with the same default.

  extension SortDescriptor {
    /// Sorts by texts, in the order of names in lists: `a A b é 9 10` come as `9 10 a A b é`.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
      self.init(LocalizedKeyPath.standard(keyPath), order: order)
    }

    /// Sorts by texts, by the rules and in the order of a comparator.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringComparator
    ) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Sorts by texts, by the rules of a comparator.
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

    /// Sorts by optional texts, nil before everything, in the order of names in lists: `a A b é 9 10` come as `9 10 a A b é`.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
      self.init(LocalizedKeyPath.standard(keyPath), order: order)
    }

    /// Sorts by optional texts, nil before everything, by the rules and in the order of a comparator.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringComparator
    ) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Sorts by optional texts, nil before everything, by the rules of a comparator.
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
