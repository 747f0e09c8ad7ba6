/// A property that Observation tracks: every kind but constants.
class ObservedProperty<Model: PersistentModel, Value>: _ModelProperty, @unchecked Sendable {
  var typedKeyPath: KeyPath<Model, Value> {
    // The initializers of the subclasses accept no other type.
    unsafeDowncast(keyPath, to: KeyPath<Model, Value>.self)
  }

  override func recordChange(of model: any PersistentModel) {
    model._$withState { $0.bindingReference }?._withUnsafeGuaranteedRef {
      $0.recordChange(of: model, property: index)
    }
    guard model._$withState({ $0.observers != nil }) else { return }
    if let graph = model._$withState({ $0.graph }) {
      graph.recordChange(of: self, model)
    } else {
      notifyObservers(of: model)
    }
  }

  override func notifyObservers(of model: any PersistentModel) {
    guard let observers = model._$withState({ $0.observers }) else { return }
    recordWillSet(of: model, by: observers)
    recordDidSet(of: model, by: observers)
  }

  // The callers have the property from the runtime of the model's class, so the casts are safe.

  override func recordRead(of model: any PersistentModel, by observers: ModelObservers) {
    observers.registrar.access(unsafeDowncast(model, to: Model.self), keyPath: typedKeyPath)
  }

  override func recordWillSet(of model: any PersistentModel, by observers: ModelObservers) {
    observers.registrar.willSet(unsafeDowncast(model, to: Model.self), keyPath: typedKeyPath)
  }

  override func recordDidSet(of model: any PersistentModel, by observers: ModelObservers) {
    observers.registrar.didSet(unsafeDowncast(model, to: Model.self), keyPath: typedKeyPath)
  }
}
