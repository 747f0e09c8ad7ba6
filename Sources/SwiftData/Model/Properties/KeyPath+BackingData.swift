extension KeyPath where Root: PersistentModel {
  /// The value of an attribute in a backing data, which has one method for decodable values and another for transformed ones;
  /// nil if the backing data is of a class without the property.
  func attributeValue(in backingData: Any) -> Value? {
    guard let backingData = backingData as? any BackingData<Root> else {
      return (backingData as? any InheritingBackingData)?.inheritedValue(forKey: self)
    }
    guard let type = Value.self as? any Decodable.Type else { return backingData.getTransformableValue(forKey: self) }
    func decodable<Decoded: Decodable>(_ type: Decoded.Type, _ backingData: some BackingData<Root>) -> Any {
      // `Decoded` is `Value`, which is decodable after the check above.
      backingData.getValue(forKey: unsafeDowncast(self, to: KeyPath<Root, Decoded>.self))
    }
    return decodable(type, backingData) as? Value
  }
}
