#if !canImport(Darwin)
  public import Foundation

  // On Apple's platforms these initializers are Foundation's, with the same default. The initializers that take a comparator
  // are disfavored: Foundation's own take a `String.StandardComparator`.

  extension SortDescriptor {
    /// Sorts by a string in the order of file names in lists.
    ///
    /// The strings `a A b é 9 10` are sorted as `9 10 a A b é`.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
      self.init(LocalizedKeyPath.standard(keyPath), order: order)
    }

    /// Sorts by a string with the rules and the direction of `comparator`.
    @_disfavoredOverload
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringComparator
    ) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Sorts by a string with the rules of `comparator` and the direction `order`.
    ///
    /// The direction of the comparator itself has no effect.
    @_disfavoredOverload
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
    @_disfavoredOverload
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringComparator
    ) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Sorts by an optional string with the rules of `comparator` and the direction `order`.
    ///
    /// In ascending order nil comes before all strings. The direction of the comparator itself has no effect.
    @_disfavoredOverload
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

  extension SortDescriptor {
    /// Sorts by a string with the rules of a comparator, whether or not Foundation supports them.
    package init(
      text keyPath: any KeyPath<Compared, String> & Sendable, _ comparator: String.StandardComparator,
      _ order: SortOrder
    ) {
      if let localized = comparator.localizedComparator {
        self.init(keyPath, comparator: localized, order: order)
      } else {
        self.init(keyPath, comparator: comparator, order: order)
      }
    }

    package init(
      text keyPath: any KeyPath<Compared, String?> & Sendable, _ comparator: String.StandardComparator,
      _ order: SortOrder
    ) {
      if let localized = comparator.localizedComparator {
        self.init(keyPath, comparator: localized, order: order)
      } else {
        self.init(keyPath, comparator: comparator, order: order)
      }
    }

    /// A descriptor of the same order whose `compare` follows the rules of its text comparator.
    var following: SortDescriptor {
      guard let isStandard = stringComparator?.localizedComparator?.isStandard else { return self }
      switch keyPath {
      case let path as KeyPath<Compared, String>:
        return isStandard
          ? .init(LocalizedKeyPath.standard(path), order: order) : .init(LocalizedKeyPath.plain(path), order: order)
      case let path as KeyPath<Compared, String?>:
        return isStandard
          ? .init(LocalizedKeyPath.standard(path), order: order) : .init(LocalizedKeyPath.plain(path), order: order)
      default: return self
      }
    }
  }
#endif
