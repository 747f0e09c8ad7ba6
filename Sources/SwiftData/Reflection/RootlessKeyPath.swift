/// A key path without its root type, for comparisons.
///
/// Key paths to an inherited property from two classes have equal components and different roots, and so are not equal.
/// Behind a common prefix they are.
struct RootlessKeyPath: Hashable {
  private let keyPath: AnyKeyPath

  private struct Anchor {
    var value: Anchor { self }
  }

  init(_ keyPath: AnyKeyPath) {
    func open<Value>(_ type: Value.Type) -> AnyKeyPath {
      // Only the components of `keyPath` are read. The result is compared, and never used to access a value.
      let leaf = Unmanaged<KeyPath<Anchor, Value>>
        .fromOpaque(Unmanaged.passUnretained(keyPath).toOpaque()).takeUnretainedValue()
      return (\Anchor.value).appending(path: leaf)
    }
    self.keyPath = _openExistential(type(of: keyPath).valueType, do: open)
  }
}
