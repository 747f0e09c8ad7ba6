extension PersistentModel {
  /// The entity, the key and the values that are in memory. The description reads nothing from the store, and observers do
  /// not track it.
  ///
  /// `print` shows it unless the class conforms to `CustomStringConvertible`.
  public var debugDescription: String {
    let values = loadedValues.map { "\($0.name): \($0.text)" }
    return "\(ModelRuntime.of(self).entityName.string)(\(([keyDescription] + values).joined(separator: ", ")))"
  }

  /// The key and the values that are in memory, for `dump` and debuggers. The mirror reads nothing from the store, and
  /// observers do not track it.
  public var customMirror: Mirror {
    let children = [("persistentModelID", keyDescription as Any)] + loadedValues.map { ($0.name, $0.value) }
    return Mirror(
      self, children: children.map { (label: $0, value: $1) }, displayStyle: .class, ancestorRepresentation: .suppressed
    )
  }

  /// The entity and the key, for messages.
  var nameInMessages: String {
    let key = _$withState { $0.key }
    let entity = ModelRuntime.of(self).entityName.string
    return key > 0 ? "\(entity)/\(anyIdentifier.primaryKey)" : "An unsaved \(entity)"
  }

  private var keyDescription: String {
    _$withState { $0.key } > 0 ? anyIdentifier.primaryKey : "unsaved"
  }

  private var loadedValues: [(name: String, value: Any, text: String)] {
    ModelRuntime.of(self).properties.map { property in
      if property.isConstant, let value = (self as Any)[keyPath: property.keyPath] {
        return (property.name, value, Self.description(of: value))
      }
      guard let relationship = property.relationship else {
        guard property.isLoaded(self), let value = property.value(inSlot: property.slot(of: self)) else {
          return (property.name, NotRead(), "…")
        }
        return (property.name, value, Self.description(of: value))
      }
      if let key = relationship.toOne?.unreadKey(of: self), RowIdentity.isValid(key) {
        let text = "\(relationship.destinationType)(\(RowIdentity.text(for: key)))"
        return (property.name, text, text)
      }
      guard property.isLoaded(self) else { return (property.name, NotRead(), "…") }
      // Targets are named without their values, because references can form cycles.
      let targets = relationship.loadedTargets(of: self).map { "\(type(of: $0))(\($0.keyDescription))" }
      if relationship.toMany != nil {
        return (property.name, targets, "\(targets.count) of \(relationship.destinationType)")
      }
      return (property.name, targets.first as Any, targets.first ?? "nil")
    }
  }

  private static func description(of value: Any) -> String {
    guard let value = flattened(value) else { return "nil" }
    return (value as? String)?.debugDescription ?? "\(value)"
  }
}

/// Stands for a value that is not in memory.
private struct NotRead: CustomStringConvertible {
  var description: String { "…" }
}
