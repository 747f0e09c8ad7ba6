import Foundation

/// What kind of value a column has, as far as comparisons are concerned.
struct ScalarKind: CustomStringConvertible {
  /// Nil for encoded values, of which SQL can only tell whether they are nil.
  let primitive: (any _PrimitiveValue.Type)?
  /// The type whose raw values are kept.
  let rawType: Any.Type?
  /// The type of a value that is kept as JSON.
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

  /// The kind of a captured value that is used with no column.
  init(valueType: Any.Type) {
    self.init(primitive: valueType as? any _PrimitiveValue.Type)
  }

  static let bool = ScalarKind(primitive: Bool.self)
  static let int = ScalarKind(primitive: Int.self)
  static let real = ScalarKind(primitive: Double.self)
  static let text = ScalarKind(primitive: String.self)
  static let comparisonResult = ScalarKind(primitive: Int.self, rawType: ComparisonResult.self)

  var isText: Bool { primitive == String.self && rawType == nil }

  /// Whether the values are texts, of which equal ones may have other bytes, or made of such texts. The raw values of an
  /// enumeration count as such unless all are ASCII: a column of unique values has them in a form that need not be the
  /// source's, and that may be another one in the next release. Swift finds the case of either.
  var isMadeOfText: Bool {
    primitive == String.self && rawType.map { !EnumerationCases.arePlainTexts(of: $0) } ?? true
  }

  /// The type in Swift of values that SQL knows; nil for encoded ones.
  var valueType: Any.Type? { rawType ?? primitive }

  var isFloatingPoint: Bool {
    primitive == Double.self || primitive == Float.self
  }

  /// Whether the values may be NaN, which equals nothing and has no place in the order.
  var hasUnequalNaN: Bool {
    isFloatingPoint || primitive == Date.self
  }

  /// The kind of the raw values.
  var raw: ScalarKind { ScalarKind(primitive: primitive) }

  static func == (left: ScalarKind, right: ScalarKind) -> Bool {
    left.primitive == right.primitive && left.rawType == right.rawType
  }

  var description: String {
    (rawType ?? primitive).map { "\($0)" } ?? "a value that is kept encoded"
  }
}
