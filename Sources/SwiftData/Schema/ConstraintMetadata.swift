/// Metadata that describes no property: `#Index` and `#Unique`.
protocol ConstraintMetadata: SchemaProperty {
  var keyPathLists: [[AnyKeyPath]] { get }
}

/// Translates the key paths of an index or a constraint to names, and back, without a schema.
enum ConstraintPaths {
  static func names<Model: PersistentModel>(_ keyPaths: [PartialKeyPath<Model>], of type: Model.Type) -> [String] {
    let entity = SchemaBuilder.entity(of: type)
    return keyPaths.map(entity.sourceName)
  }

  static func keyPaths<Model: PersistentModel>(
    _ names: [String], of type: Model.Type, _ decoder: any Decoder
  ) throws -> [PartialKeyPath<Model>] {
    try names.map { name in
      guard let keyPath = keyPath(name, of: type) as? PartialKeyPath<Model> else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: "\(type) declares no persisted property \(name)"))
      }
      return keyPath
    }
  }

  private static func keyPath(_ name: String, of type: any PersistentModel.Type) -> AnyKeyPath? {
    let names = name.split(separator: ".").map(String.init)
    let first = type.schemaMetadata.first { $0.isProperty && $0.name == names.first }?.keypath
    return names.dropFirst().reduce(first) { keyPath, name in
      guard let keyPath else { return nil }
      let fields = StoredField.keyPaths(of: Swift.type(of: keyPath).valueType)
      return fields.first { $0.name == name }.flatMap { keyPath.appending(path: $0.keyPath) }
    }
  }
}
