/// The description of one property of an entity: a ``Schema/Attribute`` or a ``Schema/Relationship``.
///
/// ``Schema/Index`` and ``Schema/Unique`` do not describe a property. They conform so that they can be part of the
/// metadata of a model.
public protocol SchemaProperty: Decodable, Encodable, Hashable {
  /// The name of the Swift property.
  var name: String { get set }
  /// The name of the property in an earlier version of the schema; the same as ``name`` when it was not renamed.
  var originalName: String { get set }
  /// The declared type, with its `Optional`.
  var valueType: Any.Type { get set }
  /// Whether the property holds a value.
  var isAttribute: Bool { get }
  /// Whether the property refers to models.
  var isRelationship: Bool { get }
  /// Whether the value is not stored.
  var isTransient: Bool { get }
  /// Whether the property may be `nil`.
  var isOptional: Bool { get }
  /// Whether no two models may have the same value.
  var isUnique: Bool { get }
}

extension SchemaProperty {
  /// `false` unless the conforming type says otherwise.
  public var isAttribute: Bool { false }

  /// `false` unless the conforming type says otherwise.
  public var isRelationship: Bool { false }

  /// `false` unless the conforming type says otherwise.
  public var isTransient: Bool { false }

  /// Whether the declared type is an `Optional`.
  public var isOptional: Bool { valueType is any OptionalValue.Type }
}

extension SchemaProperty {
  func isEqual(to other: any SchemaProperty) -> Bool {
    (other as? Self) == self
  }
}
