@_spi(Reflection) import Swift

/// The names behind key paths that begin at one model type, or at a type that inherits from it.
struct KeyPathTable {
  /// Paths by key path. `\Dog.name` and `\Animal.name` differ when `name` is inherited, so the keys have no root.
  private var paths: [RootlessKeyPath: [String]] = [:]

  private struct OptionalComposite {
    /// How a key path through the property's `?` begins when it is printed.
    let prefix: String
    let path: [String]
    let fields: [AttributeStorage.Field]
  }

  private var optionalComposites: [OptionalComposite] = []

  subscript(keyPath: AnyKeyPath) -> [String]? {
    paths[RootlessKeyPath(keyPath)] ?? pathThroughOptional(keyPath)
  }

  /// No key path with a `?` in it can be made at run time to compare with, but printed ones compare as well.
  private func pathThroughOptional(_ keyPath: AnyKeyPath) -> [String]? {
    guard !optionalComposites.isEmpty else { return nil }
    let text = keyPath.debugDescription
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
    if type(of: keyPath).valueType is any OptionalValue.Type {
      optionalComposites.append(
        OptionalComposite(prefix: keyPath.debugDescription + "?.", path: path, fields: fields))
    }
    for (name, fieldKeyPath) in Self.fieldKeyPaths(of: type(of: keyPath).valueType) {
      guard let field = fields.first(where: { $0.name == name }),
        let whole = keyPath.appending(path: fieldKeyPath)
      else { continue }
      add(whole, path + [name], fields: field.storage.fields)
    }
  }

  /// The key paths of a struct's stored properties.
  static func fieldKeyPaths(of type: Any.Type) -> [(name: String, keyPath: AnyKeyPath)] {
    func open<Value>(_ type: Value.Type) -> [(name: String, keyPath: AnyKeyPath)] {
      var fields: [(name: String, keyPath: AnyKeyPath)] = []
      // `ignoreUnknown` by its value: the standard library declares the constant as a variable.
      _ = _forEachFieldWithKeyPath(of: type, options: _EachFieldOptions(rawValue: 1 << 1)) { name, keyPath in
        fields.append((String(cString: name), keyPath))
        return true
      }
      return fields
    }
    return _openExistential(type, do: open)
  }
}

/// A key path that has forgotten the type it begins at.
///
/// Key paths to one inherited property from two classes have the same components and different roots, and so are not
/// equal. Put behind a common prefix they are.
private struct RootlessKeyPath: Hashable {
  private let keyPath: AnyKeyPath

  private struct Anchor {
    var value: Anchor { self }
  }

  init(_ keyPath: AnyKeyPath) {
    func open<Value>(_ type: Value.Type) -> AnyKeyPath {
      // Only the components of `keyPath` are read, and the result is never projected: it serves comparison alone.
      let leaf = Unmanaged<KeyPath<Anchor, Value>>
        .fromOpaque(Unmanaged.passUnretained(keyPath).toOpaque()).takeUnretainedValue()
      return (\Anchor.value).appending(path: leaf)
    }
    self.keyPath = _openExistential(type(of: keyPath).valueType, do: open)
  }
}
