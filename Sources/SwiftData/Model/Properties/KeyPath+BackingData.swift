extension KeyPath where Root: PersistentModel {
  /// The value of an attribute in a backing data, which is asked in one way for what can be decoded and in another for
  /// what goes through a transformer; nil when it is of a class that does not have the property.
  func attributeValue(in backingData: Any) -> Value? {
    guard let backingData = backingData as? any BackingData<Root> else {
      return (backingData as? any InheritingBackingData)?.inheritedValue(forKey: self)
    }
    guard let type = Value.self as? any Decodable.Type else { return backingData.getTransformableValue(forKey: self) }
    func decodable<Decoded: Decodable>(_ type: Decoded.Type, _ backingData: some BackingData<Root>) -> Any {
      // `Decoded` is `Value`, which only the check above knows to be decodable.
      backingData.getValue(forKey: unsafeDowncast(self, to: KeyPath<Root, Decoded>.self))
    }
    return decodable(type, backingData) as? Value
  }
}
