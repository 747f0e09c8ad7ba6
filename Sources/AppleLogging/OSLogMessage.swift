#if !canImport(Darwin)
  /// A message with values in it, each of which may have a format and say whether it is private.
  public struct OSLogMessage: ExpressibleByStringInterpolation {
    public let interpolation: OSLogInterpolation

    public init(stringInterpolation: OSLogInterpolation) {
      interpolation = stringInterpolation
    }

    public init(stringLiteral value: String) {
      interpolation = OSLogInterpolation(text: value)
    }
  }

  /// Whether a value is shown.
  ///
  /// Values that are `private` or `sensitive` are replaced by `<private>`. All others are shown, including texts without a
  /// privacy option: Apple's system hides those unless a debugger reads the messages.
  public struct OSLogPrivacy: Sendable {
    enum Kind { case shown, hidden, hashed }

    let kind: Kind

    /// The replacement of a private value.
    public enum Mask: Sendable {
      case hash
      case none
    }

    public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .shown) }
    public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .shown) }
    public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .hidden) }
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .hidden) }

    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .shown) }
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: mask == .hash ? .hashed : .hidden) }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: mask == .hash ? .hashed : .hidden) }

    /// The text of a value, or its replacement. Equal values have the same hash within a process.
    func text(for value: String) -> String {
      switch kind {
      case .shown: value
      case .hidden: "<private>"
      case .hashed: "<mask.hash: \(String(UInt(bitPattern: value.hashValue), radix: 16))>"
      }
    }
  }
#endif
