import Foundation

final class AttributeProperty<Model: PersistentModel, Value>: ObservedProperty<Model, Value>, @unchecked Sendable {
  /// Whether a slot has a value.
  private let hasValue: @Sendable (UnsafeRawPointer) -> Bool = SlotLook.look(at: Value.self)

  @inline(__always)
  private func storage(in model: any PersistentModel) -> UnsafeMutablePointer<_AttributeSlot<Value>> {
    address(in: model).assumingMemoryBound(to: _AttributeSlot<Value>.self)
  }

  override func slot(of model: any PersistentModel) -> Any {
    storage(in: model).pointee
  }

  override func restore(_ slot: Any, to model: any PersistentModel) {
    guard let slot = slot as? _AttributeSlot<Value> else { return }
    storage(in: model).pointee = slot
  }

  override func isLoaded(_ model: any PersistentModel) -> Bool {
    hasValue(address(in: model))
  }

  override var hasPlaceholder: Bool { Placeholder.value(of: Value.self) != nil }

  override func fillWithDefault(_ model: any PersistentModel) {
    storage(in: model).pointee = _AttributeSlot(harmlessValue(for: model))
  }

  override func probeValue(for model: any PersistentModel) -> Any {
    harmlessValue(for: model)
  }

  private func harmlessValue(for model: any PersistentModel) -> Value {
    (defaultValue as? Value)
      ?? FallbackValues.value(of: Value.self, for: Model.self, model._$withState { $0.graph })
  }

  override var samples: [Any] { Samples.values(of: Value.self) }

  override func put(_ value: Any, in model: any PersistentModel) {
    guard let value = value as? Value else { return }
    storage(in: model).pointee = _AttributeSlot(value)
  }

  override func value(in backingData: Any) -> Any? {
    typedKeyPath.attributeValue(in: backingData)
  }

  override func assign(_ value: Any?, to model: any PersistentModel) {
    guard let value = value as? Value else { return }
    unsafeDowncast(model, to: Model.self).write(typedKeyPath, value)
  }

  override func assign(slot: Any, to model: any PersistentModel) {
    guard let value = (slot as? _AttributeSlot<Value>)?.stored else { return }
    unsafeDowncast(model, to: Model.self).write(typedKeyPath, value)
  }

  override func adopt(_ backingData: Any, by model: any PersistentModel) {
    guard let value = typedKeyPath.attributeValue(in: backingData) else { return }
    storage(in: model).pointee = _AttributeSlot(value)
  }

  override func value(inSlot slot: Any) -> Any? {
    guard let value = (slot as? _AttributeSlot<Value>)?.stored else { return nil }
    return value
  }

  override func isEqual(_ slot: Any, _ other: Any) -> Bool {
    guard let slot = slot as? _AttributeSlot<Value>, let other = other as? _AttributeSlot<Value> else { return false }
    guard let value = slot.stored, let otherValue = other.stored else { return slot.isLoaded == other.isLoaded }
    if let equatable = value as? any Equatable { return Self.isEqual(equatable, otherValue) }
    guard let codable = value as? any Encodable, let otherCodable = otherValue as? any Encodable else { return false }
    return Self.encoding(codable) == Self.encoding(otherCodable)
  }

  /// An encoding for comparing values that are not Equatable; a value that cannot be encoded equals no other.
  private static func encoding(_ value: any Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(value)) ?? Data(UUID().uuidString.utf8)
  }

  private static func isEqual<Compared: Equatable>(_ value: Compared, _ other: Any) -> Bool {
    (other as? Compared) == value
  }
}
