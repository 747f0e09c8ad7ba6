extension _ModelProperty {
  /// The key path of the property. One that is inherited begins at the class that declares it: it reads models of the
  /// other class as well, and is not equal to the one that is written for that.
  ///
  /// - Parameter type: A class that declares the property or inherits it.
  func keyPath<Model: PersistentModel>(in type: Model.Type) -> any PartialKeyPath<Model> & Sendable {
    // A key path to a property captures nothing that would keep it from being used anywhere.
    let own = Unmanaged<PartialKeyPath<Model>>.fromOpaque(Unmanaged.passUnretained(keyPath).toOpaque())
    return unsafeBitCast(own.takeUnretainedValue(), to: (any PartialKeyPath<Model> & Sendable).self)
  }
}
