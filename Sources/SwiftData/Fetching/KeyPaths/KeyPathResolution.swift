/// Finds the persisted properties behind key paths.
enum KeyPathResolution {
  /// The properties of a key path, each in the destination model of the one before, and the fields of a composite at its end.
  struct Path {
    var properties: [_ModelProperty]
    var fields: [String] = []
    /// Whether the path ends at the identifier of the last property's destination model.
    var isOfIdentifier = false

    var name: String {
      (properties.map(\.name) + fields + (isOfIdentifier ? ["persistentModelID"] : [])).joined(separator: ".")
    }

    /// Whether the path is a single property of its root model.
    var isProperty: Bool { properties.count == 1 && fields.isEmpty && !isOfIdentifier }
  }

  /// The index in the runtime of the property of a key path, whose root is the model or one of its superclasses.
  ///
  /// - Returns: nil for a property that is not persisted, and for a path of several steps.
  static func propertyIndex(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> Int? {
    property(keyPath, runtime)?.index
  }

  static func property(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> _ModelProperty? {
    if let property = writtenProperty(keyPath, runtime) { return property }
    // Code that is generic over models accesses a property named `id` through `Identifiable`.
    if let property = runtime.property(named: "id"),
      type(of: keyPath).valueType == type(of: property.keyPath).valueType,
      identifiablePath(of: type(of: keyPath).rootType) == keyPath
    {
      return property
    }
    guard let path = KeyPathTrial.path(keyPath, runtime), path.isProperty else { return nil }
    return path.properties.first
  }

  /// The property of a key path that was written for a class.
  static func writtenProperty(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> _ModelProperty? {
    if let index = runtime.index(of: keyPath) { return runtime.properties[index] }
    return table(of: runtime)[keyPath]?.first.flatMap(runtime.property(named:))
  }

  /// Whether a key path is that of a model's identifier.
  static func isIdentifier(_ keyPath: AnyKeyPath) -> Bool {
    guard type(of: keyPath).valueType == PersistentIdentifier.self,
      let root = type(of: keyPath).rootType as? any PersistentModel.Type
    else { return false }
    return identifierPaths(of: root).contains(keyPath) || identifiablePath(of: root) == keyPath
      || KeyPathTrial.isIdentifier(keyPath, of: root)
  }

  private static func identifierPaths<Model: PersistentModel>(of type: Model.Type) -> [AnyKeyPath] {
    // By its type, the second one is `PersistentModel.id`, which is for classes without an `id` of their own.
    let paths: [KeyPath<Model, PersistentIdentifier>] = [\Model.persistentModelID, \Model.id]
    return paths
  }

  private static func identifiablePath(of type: Any.Type) -> AnyKeyPath? {
    func open<Value: Identifiable>(_ type: Value.Type) -> AnyKeyPath { \Value.id }
    return (type as? any PersistentModel.Type).map { open($0) }
  }

  private static let tables = KeyPathCache<KeyPathTable>()

  /// A table that includes inherited properties, by key paths whose root is the subclass.
  private static func table(of runtime: ModelRuntime) -> KeyPathTable {
    tables.found(for: ObjectIdentifier(runtime)) {
      var table = KeyPathTable()
      for property in runtime.properties { table.add(property.keyPath, [property.name], fields: []) }
      return table
    }
  }
}
