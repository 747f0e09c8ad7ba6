import Support

/// How the value of an attribute is stored, by its type and options.
indirect enum AttributeStorage: Sendable {
  /// A type with a column of its own kind.
  case primitive
  /// An enum, or another type with raw values, stored as its raw value.
  case rawRepresentable
  /// A struct with a column or more for each stored property.
  case composite([Field])
  /// Encoded as one text.
  case json
  /// A `ValueTransformer` makes data of it.
  case transformable
  case unsupported

  /// A stored property of a composite.
  struct Field: Sendable {
    var name: String
    var valueType: Any.Type
    var storage: AttributeStorage
  }

  var fields: [Field] {
    if case .composite(let fields) = self { fields } else { [] }
  }

  init(valueType: Any.Type, options: [Schema.Attribute.Option]) {
    if options.contains(where: \.isTransformable) {
      self = .transformable
      return
    }
    let storage = Self.storage(of: unwrappedType(valueType))
    if case .composite = storage, options.contains(.codable) {
      self = .json
    } else {
      self = storage
    }
  }

  private static let known = Mutex<[ObjectIdentifier: AttributeStorage]>([:])

  private static func storage(of type: Any.Type) -> AttributeStorage {
    if let storage = known.withLock({ $0[ObjectIdentifier(type)] }) { return storage }
    let storage = classify(type)
    known.withLock { $0[ObjectIdentifier(type)] = storage }
    return storage
  }

  private static func classify(_ type: Any.Type) -> AttributeStorage {
    if type is any _PrimitiveValue.Type { return .primitive }
    guard let codable = type as? any Codable.Type else { return .unsupported }
    if let raw = type as? any RawRepresentable.Type, hasPrimitiveRawValue(raw) { return .rawRepresentable }
    return CompositeShape.fields(of: codable).map(AttributeStorage.composite) ?? .json
  }

  private static func hasPrimitiveRawValue<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool {
    Raw.RawValue.self is any _PrimitiveValue.Type
  }

  var isUnsupported: Bool {
    if case .unsupported = self { true } else { false }
  }
}
