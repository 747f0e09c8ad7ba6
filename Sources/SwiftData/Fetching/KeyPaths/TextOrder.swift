import FoundationSupplements

/// The orders of text by the rules of a locale, or by the rules of lists of names.
enum TextOrder {
  /// The key path to the text of a descriptor with such an order; nil when it sorts by the values themselves.
  static func origin(of keyPath: AnyKeyPath) -> (keyPath: AnyKeyPath, isStandard: Bool)? {
    #if canImport(Darwin)
      nil
    #else
      LocalizedKeyPath.origin(of: keyPath)
    #endif
  }
}
