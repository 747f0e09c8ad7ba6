import Foundation
import Relational

/// Converts values between types without loss, in the form that columns have.
struct ValueConversion: Hashable {
  let source: Primitive
  let target: Primitive

  /// The types with a column form of their own, by their names in the meanings of columns.
  enum Primitive: String {
    case int = "Int"
    case int8 = "Int8"
    case int16 = "Int16"
    case int32 = "Int32"
    case int64 = "Int64"
    case uint = "UInt"
    case uint8 = "UInt8"
    case uint16 = "UInt16"
    case uint32 = "UInt32"
    case uint64 = "UInt64"
    case bool = "Bool"
    case double = "Double"
    case float = "Float"
    case decimal = "Decimal"
    case date = "Date"
    case string = "String"
    case uuid = "UUID"
    case url = "URL"
  }

  /// Nil where the conversion would lose values, or is undefined.
  ///
  /// - Parameters:
  ///   - previous: The meaning of the column's values.
  ///   - present: The new meaning, which differs.
  init?(from previous: String, to present: String) {
    guard previous != present, let (source, _) = Self.primitive(of: previous),
      let (target, isRaw) = Self.primitive(of: present)
    else { return nil }
    self.source = source
    self.target = target
    if source == target { return }
    // Values of another type cannot become raw values of an enumeration.
    guard !isRaw else { return nil }
    switch target {
    case .string: break
    case .double: guard source == .float || source.isWhole else { return nil }
    case .decimal: guard source.isWhole else { return nil }
    default: guard source.isWhole, target.isWhole else { return nil }
    }
  }

  /// The type of a column's values, or of an enumeration's raw values.
  private static func primitive(of meaning: String) -> (primitive: Primitive, isRaw: Bool)? {
    let raw = "raw "
    let isRaw = meaning.hasPrefix(raw)
    return Primitive(rawValue: isRaw ? String(meaning.dropFirst(raw.count)) : meaning).map { ($0, isRaw) }
  }

  /// Whether the conversion writes rows. It does not if columns have values of both types in the same form.
  var isWritten: Bool {
    switch target {
    case source: false
    case .double: source != .float
    default: !target.isWhole
    }
  }

  /// The condition of rows whose value may not have an equivalent in the other type; nil where all have.
  func doubtful(_ column: SQLExpression) -> SQLExpression? {
    guard source.isWhole, source != target else { return nil }
    let known: ClosedRange<Int64>
    switch target {
    // Beyond these limits, not every whole number is a double.
    case .double: known = -(1 << 53)...(1 << 53)
    default:
      guard let limits = target.limits, let own = source.limits else { return nil }
      let isBeyond = source.isWide && !target.isWide
      if limits.contains(own.lowerBound), limits.contains(own.upperBound), !isBeyond { return nil }
      known = limits
    }
    let isBelow = SQLExpression.binary(.less, column, .value(.integer(known.lowerBound)))
    let isAbove = SQLExpression.binary(.greater, column, .value(.integer(known.upperBound)))
    return .binary(.or, isBelow, isAbove)
  }

  /// Nil for a value without an equivalent in the other type, and for one that is not of the source type.
  func convert(_ value: Value) -> Value? {
    if value.isNull { return value }
    if source == target { return value }
    switch (target, value) {
    case (.string, _): return text(of: value).map { .text($0) }
    case (.double, .real), (.double, .text(ColumnEncoding.notANumberText)): return source == .float ? value : nil
    case (.double, .integer(let integer)): return Double(exactly: integer).map { .real($0) }
    case (.double, .blob(let bytes)):
      return ColumnEncoding.wideInteger(bytes).flatMap { Double(exactly: $0) }.map { .real($0) }
    case (.decimal, .integer(let integer)): return .text(DecimalText.encode(Decimal(integer)))
    case (.decimal, .blob(let bytes)):
      return ColumnEncoding.wideInteger(bytes).map { .text(DecimalText.encode(Decimal($0))) }
    case (_, .integer(let integer)): return target.limits?.contains(integer) == true ? value : nil
    case (_, .blob(let bytes)): return target.isWide && ColumnEncoding.wideInteger(bytes) != nil ? value : nil
    default: return nil
    }
  }

  private func text(of value: Value) -> String? {
    switch (source, value) {
    case (.bool, .integer(let integer)): integer == 0 ? "false" : "true"
    case (.double, _): ColumnEncoding.real(value).map { $0.description }
    case (.float, _): ColumnEncoding.real(value).map { Float($0).description }
    case (.date, _): ColumnEncoding.real(value).flatMap { DateText.encode($0) }
    case (.decimal, .text(let text)): DecimalText.decode(text).map { $0.description }
    case (.url, .text(let text)): URL(columnText: text)?.absoluteString
    case (.string, .text(let text)): text
    case (.uuid, .blob(let bytes)):
      bytes.count == 16 ? bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }.uuidString : nil
    case (_, .integer(let integer)): source.isWhole ? integer.description : nil
    case (_, .blob(let bytes)): source.isWide ? ColumnEncoding.wideInteger(bytes).map { $0.description } : nil
    default: nil
    }
  }
}

extension ValueConversion.Primitive {
  /// Whether the values are whole numbers.
  fileprivate var isWhole: Bool { limits != nil }

  /// Whether some values exceed the range of a column of integers.
  fileprivate var isWide: Bool { self == .uint || self == .uint64 }

  /// The range of whole numbers, as far as columns have them as integers.
  fileprivate var limits: ClosedRange<Int64>? {
    switch self {
    case .int, .int64: Int64.min...Int64.max
    case .int8: Int64(Int8.min)...Int64(Int8.max)
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .uint, .uint64: 0...Int64.max
    case .uint8: 0...Int64(UInt8.max)
    case .uint16: 0...Int64(UInt16.max)
    case .uint32: 0...Int64(UInt32.max)
    case .bool, .double, .float, .decimal, .date, .string, .uuid, .url: nil
    }
  }
}
