#if !canImport(Darwin)
  public import Foundation
  import FoundationSupplements

  // The compiler prefers these initializers to Foundation's, which ignore locales outside Apple's platforms.

  extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by a string with the rules and the direction of `comparator`.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - comparator: The rules by which strings are compared.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, comparator: String.StandardComparator) {
      self.init(text: keyPath, comparator, comparator.order)
    }

    /// Sorts by a string with the rules of `comparator` and the direction `order`.
    ///
    /// The direction of the comparator itself has no effect.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - comparator: The rules by which strings are compared.
    ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: String.StandardComparator, order: SortOrder
    ) {
      self.init(text: keyPath, comparator, order)
    }

    /// Sorts by an optional string with the rules and the direction of `comparator`.
    ///
    /// In ascending order nil comes before all strings.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - comparator: The rules by which strings are compared.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: String.StandardComparator) {
      self.init(text: keyPath, comparator, comparator.order)
    }

    /// Sorts by an optional string with the rules of `comparator` and the direction `order`.
    ///
    /// In ascending order nil comes before all strings. The direction of the comparator itself has no effect.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - comparator: The rules by which strings are compared.
    ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: String.StandardComparator, order: SortOrder
    ) {
      self.init(text: keyPath, comparator, order)
    }
  }
#endif
