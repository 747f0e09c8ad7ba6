import Relational

extension HistoryRevision {
  /// Finds the properties that are renamed, removed or converted between two schemas.
  ///
  /// - Parameters:
  ///   - last: The number of the last transaction.
  ///   - schema: The current schema of the store, with its tables.
  /// - Returns: Nil where all properties keep their names and types.
  init?(through last: Int64, from schema: Schema, _ tables: [TableDefinition], to layout: StoreLayout) {
    self.last = last
    changes = [:]
    for entity in schema.entities {
      let present = layout.layout(named: entity.name)?.entity
      var found: [String: Change] = [:]
      for (property, name) in Self.presentNames(entity, present, { $0.isRelationship }) where name != property {
        found[property] = Change(name: name)
      }
      for (property, name) in Self.presentNames(entity, present, { $0.isAttribute && !$0.isTransient }) {
        let previous = tables.columns(of: property, entity)
        let columns = name.flatMap { name in present.map { layout.tables.columns(of: name, $0) } } ?? []
        if name == property, previous.isEmpty || columns.isEmpty || previous.haveTheSame(as: columns) { continue }
        found[property] = Change(name: name, previous: previous, present: columns)
      }
      if !found.isEmpty { changes[entity.name] = found }
    }
    if changes.isEmpty { return nil }
  }

  /// The names of the properties of an entity in the next schema; nil for removed properties.
  private static func presentNames(
    _ entity: Schema.Entity, _ present: Schema.Entity?, _ isMeant: (any SchemaProperty) -> Bool
  ) -> [(property: String, name: String?)] {
    func parts(_ entity: Schema.Entity?) -> [PreviousNames.Part] {
      (entity?.properties ?? []).filter(isMeant).map { property in
        let original = property.originalName
        return PreviousNames.Part(name: property.name, originalName: original.isEmpty ? property.name : original)
      }
    }
    let old = parts(entity)
    let names = PreviousNames(old: old, new: parts(present))
    return old.map { (property: $0.name, name: names.present(of: $0.name)) }
  }
}

extension [TableDefinition] {
  /// The columns of an attribute of an entity, in their order.
  fileprivate func columns(of attribute: String, _ entity: Schema.Entity) -> [TableDefinition.Column] {
    let table = first { $0.compositePrimaryKey.isEmpty && $0.modelKinds.contains(entity.name) }
    let owners = [entity.name] + entity.superentities.map(\.name)
    let columns = (table?.columns ?? []).filter { column in
      column.property?.name == attribute && (column.owner.map { owners.contains($0) } ?? true)
    }
    // Transactions record neither the default values for existing rows nor the class that declares a property.
    return columns.map { column in
      var column = column
      column.defaultValue = nil
      column.owner = nil
      return column
    }
  }
}
