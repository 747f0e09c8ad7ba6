#if !canImport(Darwin) && !FoundationValueTransformer
  /// The name under which a ``ValueTransformer`` is registered.
  public struct NSValueTransformerName: Hashable, RawRepresentable, Sendable {
    /// The name as a string.
    public var rawValue: String

    /// Makes a name from a string.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Makes a name from a string.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The transformer that turns `true` into `false`, and `false` into `true`.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")

    /// The transformer that returns whether a value is `nil`.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")

    /// The transformer that returns whether a value is not `nil`.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")

    /// The ``NSSecureUnarchiveFromDataTransformer`` with its default list of allowed classes.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
  }
#endif
