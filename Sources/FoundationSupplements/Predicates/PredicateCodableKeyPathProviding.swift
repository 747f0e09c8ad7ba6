#if !canImport(Darwin)
  /// A type that names the key paths that an encoded predicate may go by.
  ///
  /// On Apple's platforms `PredicateCodableConfiguration` uses these names when it encodes and decodes predicates. Foundation
  /// on Linux has neither that configuration nor predicates that can be encoded, so the names have no effect there. The
  /// protocol lets conforming types compile, and your own code can use the names.
  public protocol PredicateCodableKeyPathProviding {
    /// The key paths, by their names in an encoded predicate.
    static var predicateCodableKeyPaths: [String: any PartialKeyPath<Self> & Sendable] { get }
  }
#endif
