import Foundation

/// The kind of a column's value, as far as comparisons need it.
struct ScalarKind: CustomStringConvertible {
  /// Nil for encoded values, which SQL can only compare with nil.
  let primitive: (any _PrimitiveValue.Type)?
  /// The type whose raw values are stored.
  let rawType: Any.Type?
  /// The type of a value that is stored as JSON.
  let encodedType: Any.Type?

  init(primitive: (any _PrimitiveValue.Type)?, rawType: Any.Type? = nil, encodedType: Any.Type? = nil) {
    self.primitive = primitive
    self.rawType = rawType
    self.encodedType = encodedType
  }

  init(_ coding: ColumnCoding, valueType: Any.Type, isExternal: Bool) {
    switch coding {
    case .primitive(let type) where !isExternal: self.init(primitive: type)
    case .rawRepresentable(let type) where !isExternal: self.init(primitive: type, rawType: unwrappedType(valueType))
    case .json where !isExternal: self.init(primitive: nil, encodedType: unwrappedType(valueType))
    default: self.init(primitive: nil)
    }
  }

  /// The kind of a captured value that is not used with a column.
  init(valueType: Any.Type) {
    self.init(primitive: valueType as? any _PrimitiveValue.Type)
  }

  static let bool = ScalarKind(primitive: Bool.self)
  static let int = ScalarKind(primitive: Int.self)
  static let real = ScalarKind(primitive: Double.self)
  static let text = ScalarKind(primitive: String.self)
  static let comparisonResult = ScalarKind(primitive: Int.self, rawType: ComparisonResult.self)

  var isText: Bool { primitive == String.self && rawType == nil }

  /// Whether equal values may have different bytes, because they are texts, or raw values of an enumeration that are not
  /// all ASCII: unique columns normalize raw values, whose form in source code may differ or change. Swift finds the case
  /// of either form.
  var isMadeOfText: Bool {
    primitive == String.self && rawType.map { !EnumerationCases.arePlainTexts(of: $0) } ?? true
  }

  /// The Swift type of values that SQL can read; nil for encoded ones.
  var valueType: Any.Type? { rawType ?? primitive }

  var isFloatingPoint: Bool {
    primitive == Double.self || primitive == Float.self
  }

  /// Whether values may be NaN, which equals nothing and is not ordered.
  var hasUnequalNaN: Bool {
    isFloatingPoint || primitive == Date.self
  }

  /// The kind of the raw values.
  var raw: ScalarKind { ScalarKind(primitive: primitive) }

  static func == (left: ScalarKind, right: ScalarKind) -> Bool {
    left.primitive == right.primitive && left.rawType == right.rawType
  }

  var description: String {
    (rawType ?? primitive).map { "\($0)" } ?? "a value that is stored encoded"
  }
}
