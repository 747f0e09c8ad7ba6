/// The names of structs' stored properties, by their key paths.
enum FieldNames {
  private static let names = KeyPathCache<[AnyKeyPath: String]>()

  static func name(behind keyPath: AnyKeyPath) -> String? {
    let root = type(of: keyPath).rootType
    let names = names.found(for: ObjectIdentifier(root)) {
      Dictionary(StoredField.keyPaths(of: root).map { ($0.keyPath, $0.name) }) { first, _ in first }
    }
    return names[keyPath]
  }
}
