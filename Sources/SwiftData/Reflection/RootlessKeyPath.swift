/// A key path that has forgotten the type it begins at.
///
/// Key paths to one inherited property from two classes have the same components and different roots, and so are not
/// equal. Put behind a common prefix they are.
struct RootlessKeyPath: Hashable {
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
