#if !canImport(Darwin)
  import Foundation

  /// Builds the text of a message.
  public struct OSLogInterpolation: StringInterpolationProtocol, CustomStringConvertible {
    private(set) var text = ""

    /// The text as it is logged.
    public var description: String { text }

    public init(literalCapacity: Int, interpolationCount: Int) {}

    init(text: String) {
      self.text = text
    }

    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    private mutating func append(
      _ value: String, _ privacy: OSLogPrivacy, _ alignment: OSLogStringAlignment = .none
    ) {
      text += alignment.aligned(privacy.text(for: value))
    }

    public mutating func appendInterpolation(
      _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
      append(value(), privacy, align)
    }

    public mutating func appendInterpolation<Value: CustomStringConvertible>(
      _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
      append(value().description, privacy, align)
    }

    public mutating func appendInterpolation<Value: FixedWidthInteger>(
      _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting = .decimal,
      align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
      append(format.text(for: value()), privacy, align)
    }

    public mutating func appendInterpolation(
      _ value: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
      privacy: OSLogPrivacy = .auto
    ) {
      append(format.text(for: value()), privacy, align)
    }

    public mutating func appendInterpolation(
      _ value: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
      privacy: OSLogPrivacy = .auto
    ) {
      append(format.text(for: Double(value())), privacy, align)
    }

    public mutating func appendInterpolation(
      _ value: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
      append(format == .truth ? "\(value())" : value() ? "YES" : "NO", privacy)
    }

    public mutating func appendInterpolation(
      _ value: @autoclosure () -> Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
      append("\(value())", privacy, align)
    }

    public mutating func appendInterpolation(
      _ value: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
    ) {
      append("\(value())", privacy)
    }
  }

  /// How an integer is written.
  public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let isUppercase: Bool
    private let hasSign: Bool
    private let hasPrefix: Bool
    private let minimumDigits: Int

    public static var decimal: Self { decimal() }
    public static var hex: Self { hex() }
    public static var octal: Self { octal() }

    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> Self {
      Self(radix: 10, isUppercase: false, hasSign: explicitPositiveSign, hasPrefix: false, minimumDigits: minDigits)
    }

    public static func hex(
      explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
    ) -> Self {
      Self(
        radix: 16, isUppercase: uppercase, hasSign: explicitPositiveSign, hasPrefix: includePrefix,
        minimumDigits: minDigits)
    }

    public static func octal(
      explicitPositiveSign: Bool = false, includePrefix: Bool = false, minDigits: Int = 0
    ) -> Self {
      Self(
        radix: 8, isUppercase: false, hasSign: explicitPositiveSign, hasPrefix: includePrefix,
        minimumDigits: minDigits)
    }

    func text<Value: FixedWidthInteger>(for value: Value) -> String {
      let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
      let sign = value < 0 ? "-" : hasSign ? "+" : ""
      let prefix = hasPrefix ? (radix == 16 ? "0x" : "0o") : ""
      return sign + prefix + String(repeating: "0", count: max(0, min(max(minimumDigits, 0), 1000) - digits.count))
        + digits
    }
  }

  /// How a floating-point number is written.
  public struct OSLogFloatFormatting: Sendable {
    private let conversion: String
    private let precision: Int?
    private let hasSign: Bool

    /// Six digits after the point.
    public static var fixed: Self { Self(conversion: "f", precision: nil, hasSign: false) }
    public static var exponential: Self { Self(conversion: "e", precision: nil, hasSign: false) }
    public static var hybrid: Self { Self(conversion: "g", precision: nil, hasSign: false) }
    public static var hex: Self { Self(conversion: "a", precision: nil, hasSign: false) }

    public static func fixed(
      precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false
    ) -> Self {
      Self(conversion: "f", precision: precision(), hasSign: explicitPositiveSign)
    }

    public static func exponential(
      precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false
    ) -> Self {
      Self(conversion: "e", precision: precision(), hasSign: explicitPositiveSign)
    }

    public static func hybrid(
      precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false
    ) -> Self {
      Self(conversion: "g", precision: precision(), hasSign: explicitPositiveSign)
    }

    func text(for value: Double) -> String {
      let digits = precision.map { ".\(min(max($0, 0), 1000))" } ?? ""
      return String(format: "%\(hasSign ? "+" : "")\(digits)\(conversion)", value)
    }
  }

  /// How a truth value is written.
  public enum OSLogBoolFormat: Sendable {
    /// `true` or `false`.
    case truth
    /// `YES` or `NO`.
    case answer
  }

  /// The smallest number of columns for a text, and its alignment in them.
  public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isRight: Bool

    public static var none: Self { Self(columns: 0, isRight: false) }
    public static func left(columns: @autoclosure () -> Int) -> Self { Self(columns: columns(), isRight: false) }
    public static func right(columns: @autoclosure () -> Int) -> Self { Self(columns: columns(), isRight: true) }

    func aligned(_ text: String) -> String {
      let blanks = String(repeating: " ", count: max(0, min(max(columns, 0), 1000) - text.count))
      return isRight ? blanks + text : text + blanks
    }
  }
#endif
