import Foundation

/// An attribute in a schema file.
struct EncodedAttribute: Codable {
  let name: String
  let originalName: String
  let options: [Schema.Attribute.Option]
  let valueType: EncodedType
  /// The mangled name of the type, as in Apple's schemas: `_typeByName` finds the type. The plain name for a type that this
  /// program does not know.
  let valueTypeName: String
  let isOptional: Bool
  let hashModifier: String?
  let defaultValue: EncodedDefault?

  init(_ attribute: Schema.Attribute) {
    name = attribute.name
    originalName = attribute.originalName
    options = attribute.options
    valueType = EncodedType(name: attribute.valueTypeName, type: attribute.valueType)
    valueTypeName =
      unwrappedType(attribute.valueType) == EncodedType.Unknown.self
      ? attribute.valueTypeName : _mangledTypeName(attribute.valueType) ?? attribute.valueTypeName
    isOptional = attribute.isOptional
    hashModifier = attribute.hashModifier
    defaultValue = attribute.defaultValue.flatMap { EncodedDefault($0, of: attribute.valueType) }
  }

  private enum CodingKeys: String, CodingKey {
    case name, originalName, options, valueType, valueTypeName, isOptional, hashModifier, defaultValue
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    originalName = try container.decode(String.self, forKey: .originalName)
    options = try container.decode([Schema.Attribute.Option].self, forKey: .options)
    valueType = try container.decode(EncodedType.self, forKey: .valueType)
    valueTypeName = valueType.name
    isOptional = try container.decode(Bool.self, forKey: .isOptional)
    hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
    let type = unwrappedType(valueType.type) as? any _PrimitiveValue.Type
    if let type, container.contains(.defaultValue), try !container.decodeNil(forKey: .defaultValue) {
      defaultValue = EncodedDefault(value: try type.init(from: container.superDecoder(forKey: .defaultValue)))
    } else {
      defaultValue = nil
    }
  }
}

/// A default value of a primitive type. Values of other types are left out, because a file does not record their type.
struct EncodedDefault: Encodable {
  let value: any _PrimitiveValue

  init(value: any _PrimitiveValue) {
    self.value = value
  }

  init?(_ value: Any, of valueType: Any.Type) {
    guard let value = value as? any _PrimitiveValue, type(of: value) == unwrappedType(valueType),
      Self.canBeWritten(value)
    else { return nil }
    self.value = value
  }

  /// Whether JSON, which has neither infinity nor NaN, can represent a value.
  private static func canBeWritten(_ value: any _PrimitiveValue) -> Bool {
    switch value {
    case let value as Double: value.isFinite
    case let value as Float: value.isFinite
    case let value as Decimal: !value.isNaN
    case let value as Date: value.timeIntervalSinceReferenceDate.isFinite
    default: true
    }
  }

  func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }
}
