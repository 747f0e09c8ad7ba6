import Foundation

final class AttributeProperty<Model: PersistentModel, Value>: ObservedProperty<Model, Value>, @unchecked Sendable {
  private let get: (Model) -> _AttributeSlot<Value>
  private let set: (Model, _AttributeSlot<Value>) -> Void
  private let hasValue: (any PersistentModel) -> Bool

  init(
    _ keyPath: KeyPath<Model, Value>, get: @escaping (Model) -> _AttributeSlot<Value>,
    set: @escaping (Model, _AttributeSlot<Value>) -> Void, hasValue: @escaping (any PersistentModel) -> Bool
  ) {
    self.get = get
    self.set = set
    self.hasValue = hasValue
    super.init(keyPath: keyPath)
  }

  override func slot(of model: any PersistentModel) -> Any {
    get(unsafeDowncast(model, to: Model.self))
  }

  override func restore(_ slot: Any, to model: any PersistentModel) {
    guard let slot = slot as? _AttributeSlot<Value> else { return }
    set(unsafeDowncast(model, to: Model.self), slot)
  }

  override func isLoaded(_ model: any PersistentModel) -> Bool {
    hasValue(model)
  }

  override var hasPlaceholder: Bool { Placeholder.value(of: Value.self) != nil }

  override func fillWithDefault(_ model: any PersistentModel) {
    set(unsafeDowncast(model, to: Model.self), _AttributeSlot(harmlessValue(for: model)))
  }

  override func standIn(for model: any PersistentModel) -> Any {
    harmlessValue(for: model)
  }

  private func harmlessValue(for model: any PersistentModel) -> Value {
    (defaultValue as? Value)
      ?? Specimens.placeholder(of: Value.self, for: Model.self, model._$withState { $0.graph })
  }

  override var samples: [Any] { Samples.values(of: Value.self) }

  override func put(_ value: Any, in model: any PersistentModel) {
    guard let value = value as? Value else { return }
    set(unsafeDowncast(model, to: Model.self), _AttributeSlot(value))
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
    set(unsafeDowncast(model, to: Model.self), _AttributeSlot(value))
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

  /// What tells values apart that cannot be compared themselves; different for each that cannot be encoded.
  private static func encoding(_ value: any Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(value)) ?? Data(UUID().uuidString.utf8)
  }

  private static func isEqual<Compared: Equatable>(_ value: Compared, _ other: Any) -> Bool {
    (other as? Compared) == value
  }
}
