import FoundationSupplements

/// The orders of text that go by the rules of a locale, or by those of names in lists.
enum TextOrder {
  /// Where a descriptor gets its text that sorts in such an order; nil when it sorts by the values themselves.
  static func origin(of keyPath: AnyKeyPath) -> (keyPath: AnyKeyPath, isStandard: Bool)? {
    #if canImport(Darwin)
      nil
    #else
      LocalizedKeyPath.origin(of: keyPath)
    #endif
  }
}
