#if !canImport(Darwin)
  /// The name under which a ``ValueTransformer`` is registered.
  public struct NSValueTransformerName: Hashable, RawRepresentable, Sendable {
    /// The name as text.
    public var rawValue: String

    /// A name from text.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A name from text.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The transformer that turns `true` into `false`, and `false` into `true`.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")

    /// The transformer that tells whether a value is `nil`.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")

    /// The transformer that tells whether a value is something else than `nil`.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")

    /// The ``NSSecureUnarchiveFromDataTransformer`` for the classes that it allows by itself.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
  }
#endif
