/// The property names of key paths that begin at one model type or a subclass.
struct KeyPathTable {
  /// Paths by key path. `\Dog.name` and `\Animal.name` differ when `name` is inherited, so the keys have no root.
  private var paths: [RootlessKeyPath: [String]] = [:]

  private struct OptionalComposite {
    /// The beginning of the description of a key path through the property's `?`.
    let prefix: Substring
    let path: [String]
    let fields: [AttributeStorage.Field]
  }

  private var optionalComposites: [OptionalComposite] = []

  subscript(keyPath: AnyKeyPath) -> [String]? {
    paths[RootlessKeyPath(keyPath)] ?? pathThroughOptional(keyPath)
  }

  /// A key path with a `?` cannot be made at run time for comparison, so descriptions are compared.
  private func pathThroughOptional(_ keyPath: AnyKeyPath) -> [String]? {
    guard !optionalComposites.isEmpty, let text = keyPath.describedSteps else { return nil }
    for composite in optionalComposites where text.hasPrefix(composite.prefix) {
      let names = text.dropFirst(composite.prefix.count).split(separator: ".").map { String($0.filter { $0 != "?" }) }
      var fields = composite.fields
      for name in names {
        guard let field = fields.first(where: { $0.name == name }) else { return nil }
        fields = field.storage.fields
      }
      return composite.path + names
    }
    return nil
  }

  /// Adds a property, and the fields of its composite type.
  mutating func add(_ keyPath: AnyKeyPath, _ path: [String], fields: [AttributeStorage.Field]) {
    paths[RootlessKeyPath(keyPath)] = path
    guard !fields.isEmpty else { return }
    if type(of: keyPath).valueType is any OptionalValue.Type, let steps = keyPath.describedSteps {
      optionalComposites.append(OptionalComposite(prefix: steps + "?.", path: path, fields: fields))
    }
    for (name, fieldKeyPath) in StoredField.keyPaths(of: type(of: keyPath).valueType) {
      guard let field = fields.first(where: { $0.name == name }),
        let whole = keyPath.appending(path: fieldKeyPath)
      else { continue }
      add(whole, path + [name], fields: field.storage.fields)
    }
  }
}
