extension _ModelProperty {
  /// The key path of the property. For an inherited property it begins at the declaring class: it also reads models of the
  /// subclass, and is not equal to a key path that is written for the subclass.
  ///
  /// - Parameter type: A class that declares the property or inherits it.
  func keyPath<Model: PersistentModel>(in type: Model.Type) -> any PartialKeyPath<Model> & Sendable {
    // A key path to a property captures nothing, so it can be sent.
    let own = Unmanaged<PartialKeyPath<Model>>.fromOpaque(Unmanaged.passUnretained(keyPath).toOpaque())
    return unsafeBitCast(own.takeUnretainedValue(), to: (any PartialKeyPath<Model> & Sendable).self)
  }
}
