@_spi(Reflection) import Swift

/// A stored property of a struct or a class.
struct StoredField {
  let name: String
  /// The offset in the value or the object, in bytes.
  let offset: Int
  let type: Any.Type

  /// The stored properties of a struct, in the order of their declaration; nil for types of other kinds.
  static func all(of type: Any.Type) -> [StoredField]? {
    guard MetadataKind(of: type) == .struct else { return nil }
    return all(of: type, options: [])
  }

  /// The stored properties of a class: first those of the classes that it inherits from.
  static func all(ofClass type: AnyClass) -> [StoredField] {
    // `classType` by its value, as below.
    all(of: type, options: _EachFieldOptions(rawValue: 1 << 0)) ?? []
  }

  private static func all(of type: Any.Type, options: _EachFieldOptions) -> [StoredField]? {
    var fields: [StoredField] = []
    let isComplete = _forEachField(of: type, options: options) { name, offset, type, _ in
      fields.append(StoredField(name: String(cString: name), offset: offset, type: type))
      return true
    }
    return isComplete ? fields : nil
  }

  /// The key paths of a struct's stored properties, as far as there are any.
  static func keyPaths(of type: Any.Type) -> [(name: String, keyPath: AnyKeyPath)] {
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
