extension ModelBackingData: InheritingBackingData {
  func inheritedValue<Base: PersistentModel, Value>(forKey keyPath: KeyPath<Base, Value>) -> Value? {
    if let model { return (model as? Base)?[keyPath: keyPath] }
    let runtime = ModelRuntime.of(Model.self)
    guard let property = KeyPathResolution.property(keyPath, runtime) else { return nil }
    let given = values.first { KeyPathResolution.property($0.key, runtime) === property }
    return given.map(\.value) as? Value ?? property.defaultValue as? Value
  }
}
