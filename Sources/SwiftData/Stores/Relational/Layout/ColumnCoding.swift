import Foundation
import Relational

/// How columns store one attribute, or one field of a composite.
indirect enum ColumnCoding {
  case primitive(any _PrimitiveValue.Type)
  case rawRepresentable(any _PrimitiveValue.Type)
  case json
  case transformable(TransformerReference)
  /// One column or more for each field. If all fields may be nil, the first column distinguishes a composite from nil.
  case composite(hasPresence: Bool, fields: [Field])

  struct Field {
    var name: String
    var valueType: any Any.Type
    var isOptional: Bool
    var coding: ColumnCoding
    /// The offset from the composite's first column.
    var offset: Int
  }

  /// Whether all columns of a value may be null.
  var allowsNull: Bool {
    guard case .composite(_, let fields) = self else { return false }
    return fields.allSatisfy { $0.isOptional || $0.coding.allowsNull }
  }

  init(_ attribute: Schema.Attribute) {
    if let transformer = attribute.transformer {
      self = .transformable(transformer)
      return
    }
    let type = unwrappedType(attribute.valueType)
    if let composite = attribute as? Schema.CompositeAttribute {
      let hasPresence = attribute.isOptional && !Self.isImplied(by: composite.properties)
      var offset = hasPresence ? 1 : 0
      let fields = composite.properties.map { property in
        let coding = ColumnCoding(property)
        defer { offset += coding.columnCount }
        return Field(
          name: property.name, valueType: property.valueType, isOptional: property.isOptional, coding: coding,
          offset: offset)
      }
      self = .composite(hasPresence: hasPresence, fields: fields)
    } else if let primitive = type as? any _PrimitiveValue.Type {
      self = .primitive(primitive)
    } else if let raw = type as? any RawRepresentable.Type, let primitive = Self.rawType(raw) {
      self = .rawRepresentable(primitive)
    } else {
      self = .json
    }
  }

  /// Whether the columns of a composite's fields show whether it is nil, as they do if one of them always has a value.
  private static func isImplied(by fields: [Schema.Attribute]) -> Bool {
    fields.contains { field in
      !field.isOptional && ((field as? Schema.CompositeAttribute).map { isImplied(by: $0.properties) } ?? true)
    }
  }

  private static func rawType<Raw: RawRepresentable>(_ type: Raw.Type) -> (any _PrimitiveValue.Type)? {
    Raw.RawValue.self as? any _PrimitiveValue.Type
  }

  var columnCount: Int {
    guard case .composite(let hasPresence, let fields) = self else { return 1 }
    return fields.reduce(hasPresence ? 1 : 0) { $0 + $1.coding.columnCount }
  }

  /// The type of the only column; not for composites.
  var columnType: TableDefinition.Column.ColumnType {
    switch self {
    case .primitive(let type), .rawRepresentable(let type): type.columnType
    case .json: .text
    case .transformable: .blob
    case .composite: .integer
    }
  }

  /// Whether values may be in external files if the attribute has that option.
  var allowsFiles: Bool {
    switch self {
    case .primitive(let type): type == Data.self
    case .transformable: true
    case .rawRepresentable, .json, .composite: false
    }
  }

  /// The meaning of the column's values, which distinguishes columns of the same type.
  var meaning: String {
    switch self {
    case .primitive(let type): "\(type)"
    case .rawRepresentable(let type): "raw \(type)"
    case .json: "json"
    case .transformable(let transformer): "transformable \(transformer.name)"
    case .composite: "composite"
    }
  }
}

extension _PrimitiveValue {
  fileprivate static var columnType: TableDefinition.Column.ColumnType {
    switch Self.self {
    case is Double.Type, is Float.Type, is Date.Type: .real
    case is String.Type, is Decimal.Type, is URL.Type: .text
    case is Data.Type, is UUID.Type: .blob
    default: .integer
    }
  }
}

extension Schema.Attribute {
  var transformer: TransformerReference? {
    options.lazy.compactMap(\.transformer).first
  }

  /// The name of the type without optionality, with the types of a composite's fields.
  var valueDescription: String {
    let type = Schema.simpleName(of: unwrappedType(valueType))
    guard let composite = self as? Schema.CompositeAttribute else { return type }
    let fields = composite.properties.map { "\($0.name): \($0.valueDescription)\($0.isOptional ? "?" : "")" }
    return "\(type)(\(fields.joined(separator: ", ")))"
  }
}
