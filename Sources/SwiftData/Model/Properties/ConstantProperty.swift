/// A `let` property: set once, when its object is made.
///
/// Only `_constantProperty` makes one, with a key path of the same types.
final class ConstantProperty<Model: PersistentModel, Value>: _ModelProperty, @unchecked Sendable {
  override var isConstant: Bool { true }
  override var hasPlaceholder: Bool { Placeholder.value(of: Value.self) != nil }
  override var samples: [Any] { Samples.values(of: Value.self) }

  override func slot(of model: any PersistentModel) -> Any {
    unsafeDowncast(model, to: Model.self)[keyPath: unsafeDowncast(keyPath, to: KeyPath<Model, Value>.self)]
  }

  override func value(in backingData: Any) -> Any? {
    unsafeDowncast(keyPath, to: KeyPath<Model, Value>.self).attributeValue(in: backingData)
  }
}
