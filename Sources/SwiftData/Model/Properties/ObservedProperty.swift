/// A property whose values go through observation: every kind but constants.
class ObservedProperty<Model: PersistentModel, Value>: _ModelProperty, @unchecked Sendable {
  var typedKeyPath: KeyPath<Model, Value> {
    // The initializers of the subclasses take no other.
    unsafeDowncast(keyPath, to: KeyPath<Model, Value>.self)
  }

  override func noteChange(of model: any PersistentModel) {
    guard model._$withState({ $0.observers != nil }) else { return }
    if let graph = model._$withState({ $0.graph }) {
      graph.noteChange(of: self, model)
    } else {
      tellObservers(of: model)
    }
  }

  override func tellObservers(of model: any PersistentModel) {
    guard let observers = model._$withState({ $0.observers }) else { return }
    // The callers know the property from the runtime of the model's class.
    let model = unsafeDowncast(model, to: Model.self)
    observers.registrar.willSet(model, keyPath: typedKeyPath)
    observers.registrar.didSet(model, keyPath: typedKeyPath)
  }
}
