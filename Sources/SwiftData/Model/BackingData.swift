/// Gives access to the values of a model by key path.
///
/// A model stores its own values, and its backing data is a view of them. Backing data is meant for code that handles
/// models of any type, such as custom stores, and for models whose macro expansion was written by hand.
public protocol BackingData<Model> {
  /// The class of the model.
  associatedtype Model: PersistentModel

  /// Makes backing data for a model that is not made yet.
  init(for modelType: Model.Type)

  /// The identifier of the model; nil if there is no model yet and no identifier was set.
  var persistentModelID: PersistentIdentifier? { get set }
  /// The ``PersistentModel/schemaMetadata`` of the model type, in backing data of this library.
  var metadata: Any { get }

  /// Returns the value of a property.
  @_disfavoredOverload
  func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value
  /// Returns the value of a property.
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value
  /// Returns the value of a property.
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value?
  /// Returns the value of a property.
  func getValue<Value: RelationshipCollection, OtherModel>(
    forKey: KeyPath<Model, Value>
  ) -> Value where OtherModel == Value.PersistentElement
  /// Returns the value of a property.
  func getValue<Value: RelationshipCollection & Decodable, OtherModel>(
    forKey: KeyPath<Model, Value>
  ) -> Value where OtherModel == Value.PersistentElement
  /// Returns the value of a property with a value transformer.
  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value

  /// Sets a property.
  ///
  /// - Parameters:
  ///   - forKey: The property.
  ///   - newValue: The value.
  @_disfavoredOverload
  func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value)
  /// Sets a property.
  ///
  /// - Parameters:
  ///   - forKey: The property.
  ///   - newValue: The value.
  func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  /// Sets a property.
  ///
  /// - Parameters:
  ///   - forKey: The property.
  ///   - newValue: The value.
  func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>, to newValue: Value?)
  /// Sets a property.
  ///
  /// - Parameters:
  ///   - forKey: The property.
  ///   - newValue: The value.
  func setValue<Value: RelationshipCollection, OtherModel>(
    forKey: KeyPath<Model, Value>, to newValue: Value
  ) where OtherModel == Value.PersistentElement
  /// Sets a property.
  ///
  /// - Parameters:
  ///   - forKey: The property.
  ///   - newValue: The value.
  func setValue<Value: RelationshipCollection & Encodable, OtherModel>(
    forKey: KeyPath<Model, Value>, to newValue: Value
  ) where OtherModel == Value.PersistentElement
  /// Sets a property with a value transformer.
  ///
  /// - Parameters:
  ///   - forKey: The property.
  ///   - newValue: The value.
  func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}

extension PersistentModel {
  /// Makes backing data for a model that is not made yet.
  ///
  /// Values can be set for any key path.
  public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
    ModelBackingData<P>(for: P.self)
  }

  /// Returns the value of a property, which is read from the store when the model does not have it.
  @_disfavoredOverload
  public func getValue<Value: Decodable>(forKey keyPath: KeyPath<Self, Value>) -> Value {
    self[keyPath: keyPath]
  }

  /// Returns the value of a property, which is read from the store when the model does not have it.
  public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value>) -> Value {
    self[keyPath: keyPath]
  }

  /// Returns the value of a property, which is read from the store when the model does not have it.
  public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value?>) -> Value? {
    self[keyPath: keyPath]
  }

  /// Returns the value of a property, which is read from the store when the model does not have it.
  public func getValue<Value: RelationshipCollection, OtherModel>(
    forKey keyPath: KeyPath<Self, Value>
  ) -> Value where OtherModel == Value.PersistentElement {
    self[keyPath: keyPath]
  }

  /// Returns the value of a property, which is read from the store when the model does not have it.
  public func getValue<Value: RelationshipCollection & Decodable, OtherModel>(
    forKey keyPath: KeyPath<Self, Value>
  ) -> Value where OtherModel == Value.PersistentElement {
    self[keyPath: keyPath]
  }

  /// Returns the value of a property with a value transformer.
  public func getTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
    self[keyPath: keyPath]
  }

  /// Sets a property by key path; a key path that is not writable changes nothing and is logged.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - newValue: The value.
  @_disfavoredOverload
  public func setValue<Value: Encodable>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
    write(keyPath, newValue)
  }

  /// Sets a property by key path; a key path that is not writable changes nothing and is logged.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - newValue: The value.
  public func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
    write(keyPath, newValue)
  }

  /// Sets a property by key path; a key path that is not writable changes nothing and is logged.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - newValue: The value.
  public func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value?>, to newValue: Value?) {
    write(keyPath, newValue)
  }

  /// Sets a property by key path; a key path that is not writable changes nothing and is logged.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - newValue: The value.
  public func setValue<Value: RelationshipCollection, OtherModel>(
    forKey keyPath: KeyPath<Self, Value>, to newValue: Value
  ) where OtherModel == Value.PersistentElement {
    write(keyPath, newValue)
  }

  /// Sets a property by key path; a key path that is not writable changes nothing and is logged.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - newValue: The value.
  public func setValue<Value: RelationshipCollection & Encodable, OtherModel>(
    forKey keyPath: KeyPath<Self, Value>, to newValue: Value
  ) where OtherModel == Value.PersistentElement {
    write(keyPath, newValue)
  }

  /// Sets a property by key path; a key path that is not writable changes nothing and is logged.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - newValue: The value.
  public func setTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
    write(keyPath, newValue)
  }

  /// Sets a property by key path; a key path that is not writable changes nothing and is logged.
  func write<Value>(_ keyPath: KeyPath<Self, Value>, _ value: Value) {
    guard let writable = keyPath as? ReferenceWritableKeyPath<Self, Value> else {
      let name = SchemaBuilder.entity(of: Self.self).sourceName(of: keyPath)
      Log.model.warning("\(name) of \(Self.self) cannot be written.")
      return
    }
    self[keyPath: writable] = value
  }
}
