#if !canImport(Darwin)
  /// A type that names the key paths that an encoded predicate may go by.
  ///
  /// On Apple's platforms `PredicateCodableConfiguration` asks types for these names when it writes and reads predicates.
  /// Foundation on Linux has neither that configuration nor predicates that can be encoded, so nothing asks there. The
  /// protocol lets types that conform to it compile, and the names can be used by your own code.
  public protocol PredicateCodableKeyPathProviding {
    /// The key paths, by the names that stand for them in an encoded predicate.
    static var predicateCodableKeyPaths: [String: any PartialKeyPath<Self> & Sendable] { get }
  }
#endif
