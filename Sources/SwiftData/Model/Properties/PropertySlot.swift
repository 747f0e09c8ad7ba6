/// A type of the storage that `@Model` declares for a property.
protocol PropertySlot {
  static func property<Model: PersistentModel>(of type: Model.Type, _ keyPath: AnyKeyPath, at offset: Int)
    -> _ModelProperty?
}

extension PersistentModel {
  /// The properties in the list that `@Model` wrote. The storage of each is found by its name and type.
  static func properties(in metadata: [Schema.PropertyMetadata]) -> [_ModelProperty] {
    let fields = Dictionary(StoredField.all(ofClass: Self.self).map { ($0.name, $0) }) { $1 }
    return metadata.map { entry in
      if let field = fields["_" + entry.name], let slot = field.type as? any PropertySlot.Type,
        let property = slot.property(of: Self.self, entry.keypath, at: field.offset)
      {
        return property
      }
      guard fields[entry.name] != nil else {
        preconditionFailure(
          "\(Self.self).\(entry.name) is not among the fields that Swift's runtime knows: SwiftData needs the reflection "
            + "metadata that -disable-reflection-metadata leaves out.")
      }
      return constant(entry.keypath)
    }
  }

  private static func constant(_ keyPath: AnyKeyPath) -> _ModelProperty {
    func open<Value>(_ type: Value.Type) -> _ModelProperty {
      ConstantProperty<Self, Value>(keyPath: keyPath, offset: 0)
    }
    return _openExistential(Swift.type(of: keyPath).valueType, do: open)
  }
}

extension _AttributeSlot: PropertySlot {
  static func property<Model: PersistentModel>(
    of type: Model.Type, _ keyPath: AnyKeyPath, at offset: Int
  ) -> _ModelProperty? {
    (keyPath as? KeyPath<Model, Value>).map { AttributeProperty<Model, Value>(keyPath: $0, offset: offset) }
  }
}

extension _ToOneSlot: PropertySlot {
  static func property<Model: PersistentModel>(
    of type: Model.Type, _ keyPath: AnyKeyPath, at offset: Int
  ) -> _ModelProperty? {
    (keyPath as? KeyPath<Model, Value>).map { ToOneProperty<Model, Target, Value>(keyPath: $0, offset: offset) }
  }
}

extension _ToManySlot: PropertySlot {
  static func property<Model: PersistentModel>(
    of type: Model.Type, _ keyPath: AnyKeyPath, at offset: Int
  ) -> _ModelProperty? {
    (keyPath as? KeyPath<Model, Value>).map { ToManyProperty<Model, Target, Value>(keyPath: $0, offset: offset) }
  }
}
