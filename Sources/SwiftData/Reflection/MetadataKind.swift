@_spi(Reflection) import Swift

/// The kind of a type.
enum MetadataKind {
  case `struct`, `enum`, other

  private struct Holder<Value> {
    let value: Value
  }

  init(of type: Any.Type) {
    func open<Value>(_ type: Value.Type) -> MetadataKind {
      var found = MetadataKind.other
      // Reflection gives the kind of a field's type only, so the type becomes that of a field.
      _ = _forEachField(of: Holder<Value>.self) { _, _, _, kind in
        switch kind {
        case .struct: found = .struct
        case .enum: found = .enum
        default: break
        }
        return false
      }
      return found
    }
    self = _openExistential(type, do: open)
  }
}
