extension Schema.Entity: CustomReflectable {
  /// The entity's name, its properties and constraints, and its model type.
  ///
  /// Programs that look for the type of an entity of Apple's SwiftData find it in a mirror only, as `_objectType`. It has
  /// that name here too, and is `nil` for an entity that was read from a file or made by hand.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name, "superentityName": superentityName as Any, "subentities": subentities,
        "storedProperties": storedProperties, "inheritedProperties": inheritedProperties,
        "uniquenessConstraints": uniquenessConstraints, "indices": indices, "_objectType": modelType as Any,
      ], displayStyle: .class)
  }
}
