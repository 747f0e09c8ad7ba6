/// Backing data that can be asked by key paths of the classes which its model inherits from.
protocol InheritingBackingData {
  /// The value of an inherited property; nil when the model inherits from another class, or nobody gave a value.
  func inheritedValue<Base: PersistentModel, Value>(forKey keyPath: KeyPath<Base, Value>) -> Value?
}
