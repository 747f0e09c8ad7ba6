/// The backing data of a model, or of a model that is not made yet.
final class ModelBackingData<Model: PersistentModel>: BackingData {
  let model: Model?
  private(set) var values: [AnyKeyPath: Any] = [:]
  private var identifier: PersistentIdentifier?

  init(for modelType: Model.Type) {
    model = nil
  }

  init(of model: Model) {
    self.model = model
  }

  var persistentModelID: PersistentIdentifier? {
    get { model?.persistentModelID ?? identifier }
    set { identifier = newValue }
  }

  var metadata: Any {
    Model.schemaMetadata
  }

  private func value<Value>(_ keyPath: KeyPath<Model, Value>) -> Value {
    if let model { return model[keyPath: keyPath] }
    if let value = values[keyPath] as? Value { return value }
    let runtime = ModelRuntime.of(Model.self)
    let property = runtime.index(of: keyPath).map { runtime.properties[$0] }
    return property?.defaultValue as? Value ?? FallbackValues.value(of: Value.self)
  }

  /// Sets a value for a model that is not made yet.
  func keep(_ value: Any, for keyPath: AnyKeyPath) {
    values[keyPath] = value
  }

  private func set<Value>(_ keyPath: KeyPath<Model, Value>, _ value: Value) {
    if let model { model.write(keyPath, value) } else { values[keyPath] = value }
  }

  func getValue<Value: Decodable>(forKey keyPath: KeyPath<Model, Value>) -> Value { value(keyPath) }

  func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value>) -> Value {
    if model == nil, values[keyPath] == nil { return .makePlaceholder() }
    return value(keyPath)
  }

  func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value?>) -> Value? { value(keyPath) }

  func getValue<Value: RelationshipCollection, OtherModel>(
    forKey keyPath: KeyPath<Model, Value>
  ) -> Value where OtherModel == Value.PersistentElement { value(keyPath) }

  func getValue<Value: RelationshipCollection & Decodable, OtherModel>(
    forKey keyPath: KeyPath<Model, Value>
  ) -> Value where OtherModel == Value.PersistentElement { value(keyPath) }

  func getTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value { value(keyPath) }

  func setValue<Value: Encodable>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) { set(keyPath, newValue) }

  func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) {
    set(keyPath, newValue)
  }

  func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value?>, to newValue: Value?) {
    set(keyPath, newValue)
  }

  func setValue<Value: RelationshipCollection, OtherModel>(
    forKey keyPath: KeyPath<Model, Value>, to newValue: Value
  ) where OtherModel == Value.PersistentElement { set(keyPath, newValue) }

  func setValue<Value: RelationshipCollection & Encodable, OtherModel>(
    forKey keyPath: KeyPath<Model, Value>, to newValue: Value
  ) where OtherModel == Value.PersistentElement { set(keyPath, newValue) }

  func setTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) {
    set(keyPath, newValue)
  }
}

/// The backing data of a model.
public func _backingData<Model: PersistentModel>(of model: Model) -> any BackingData<Model> {
  ModelBackingData(of: model)
}

/// Copies the values of `backingData` into a model of the same class.
public func _adopt<Model: PersistentModel>(_ backingData: any BackingData<Model>, by model: Model) {
  for property in ModelRuntime.of(model).properties where !property.isConstant {
    property.adopt(backingData, by: model)
  }
}
