/// Backing data that has values by key paths of its model's superclasses.
protocol InheritingBackingData {
  /// The value of an inherited property; nil if the model inherits from another class, or no value was given.
  func inheritedValue<Base: PersistentModel, Value>(forKey keyPath: KeyPath<Base, Value>) -> Value?
}
