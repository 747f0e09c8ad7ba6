import Foundation

/// The value of one property in a snapshot.
///
/// `@unchecked Sendable` because values of types that are not `Sendable` are unshared copies, and are copied again when they
/// are read.
enum SnapshotValue: @unchecked Sendable {
  /// A value of the attribute's type, or one that is encoded in the same way.
  case value(any Encodable)
  /// The target of a to-one.
  case target(PersistentIdentifier?)
  /// The members of a to-many, in order.
  case members([PersistentIdentifier])

  /// Converts the value of a model's property.
  init(_ value: Any, of attribute: Schema.Attribute) throws {
    if let transformer = attribute.transformer {
      let wrapped = (value as? any OptionalValue).map(\.wrapped) ?? value
      guard let wrapped else {
        self = .value(Data?.none)
        return
      }
      guard let data = transformer.data(for: wrapped) else { throw Mismatch() }
      self = .value(Data?.some(data))
      return
    }
    guard let encodable = value as? any Encodable else { throw Mismatch() }
    self = .value(attribute.needsCopies ? try Self.recoded(encodable, as: attribute.valueType) : encodable)
  }

  /// An unshared value of the attribute's type.
  func attributeValue(_ attribute: Schema.Attribute) throws -> Any {
    guard case .value(let value) = self else { throw Mismatch() }
    if attribute.transformer != nil {
      return type(of: value) == Data?.self || type(of: value) == Data.self
        ? value : try Self.recoded(value, as: Data?.self)
    }
    guard type(of: value) == attribute.valueType, !attribute.needsCopies else {
      return try Self.recoded(value, as: attribute.valueType)
    }
    return value
  }

  /// The value for a property of the attribute.
  func modelValue(_ attribute: Schema.Attribute) throws -> Any {
    let value = try attributeValue(attribute)
    guard let transformer = attribute.transformer else { return value }
    guard let data = value as? Data else {
      guard let optional = attribute.valueType as? any OptionalValue.Type else { throw Mismatch() }
      return optional.none
    }
    guard let value = transformer.value(for: data) else { throw Mismatch() }
    return value
  }

  static func recoded(_ value: any Encodable, as type: Any.Type) throws -> any Encodable {
    guard let type = type as? any Codable.Type else { throw Mismatch() }
    return try StoredJSON.makeDecoder().decode(type, from: StoredJSON.makeEncoder().encode(value))
  }

  struct Mismatch: Error {}
}
