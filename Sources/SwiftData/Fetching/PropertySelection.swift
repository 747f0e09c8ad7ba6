/// The properties that a fetch reads; the others are read when one of them is accessed.
struct PropertySelection {
  private let names: Set<String>

  init(names: Set<String>) {
    self.names = names
  }

  /// Nil when the descriptor asks for all properties.
  init?<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>, _ runtime: ModelRuntime) throws {
    guard !descriptor.propertiesToFetch.isEmpty else { return nil }
    var names: Set<String> = try descriptor.propertiesToFetch.reduce(into: []) { names, keyPath in
      if KeyPathResolution.isIdentifier(keyPath) { return }
      guard let property = KeyPathResolution.path(keyPath, runtime)?.properties.first else {
        let name = KeyPathResolution.name(of: keyPath, runtime)
        throw SwiftDataError.unsupportedKeyPath.with(
          entity: runtime.entityName.string, property: name,
          message: "Only persisted properties can be fetched, and \(name) is not one.")
      }
      names.insert(property.name)
    }
    for keyPath in descriptor.relationshipKeyPathsForPrefetching {
      // The row has the key of a to-one's target.
      if let property = KeyPathResolution.path(keyPath, runtime)?.properties.first { names.insert(property.name) }
    }
    self.names = names
  }

  /// Whether the property is read. Constants always are, because they are set when their model is made.
  func includes(_ property: _ModelProperty) -> Bool {
    property.isConstant || names.contains(property.name)
  }
}
