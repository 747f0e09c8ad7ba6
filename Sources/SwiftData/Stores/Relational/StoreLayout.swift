import Relational

/// The tables of a store and what they mean: the one place that maps a schema to them.
///
/// A layout is built once for a store and not changed afterwards, which is why threads may share it.
final class StoreLayout: @unchecked Sendable {
  private(set) var entities: [Int: EntityLayout] = [:]
  private(set) var tables: [TableDefinition] = []
  private var ordinals: [ObjectIdentifier: Int] = [:]
  private var layoutsByName: [String: EntityLayout] = [:]
  private var projections: [Int: Projection] = [:]

  /// - Parameter ordinals: The positions in the schema of the entities that the store holds.
  init(schema: Schema, entities ordinals: [Int]) {
    var names = ColumnNames()
    for name in [LayoutNames.metadata, LayoutNames.sequences] { _ = names.claim(name) }
    // By name, and bases before subclasses: one set of models has one layout, in whatever order it is listed.
    let ordered = ordinals.filter { schema.entities[$0].modelType != nil }.sorted {
      let (first, second) = (schema.entities[$0], schema.entities[$1])
      return (Array(first.superentities).count, first.name) < (Array(second.superentities).count, second.name)
    }
    for ordinal in ordered where schema.entities[ordinal].superentity == nil {
      add(schema.entities[ordinal], ordinal, root: nil, table: names.claim(schema.entities[ordinal].name))
    }
    for ordinal in ordered where schema.entities[ordinal].superentity != nil {
      let entity = schema.entities[ordinal]
      if let root = layoutsByName[entity.rootEntity.name] { add(entity, ordinal, root: root, table: root.table) }
    }
    let sorted = ordered.compactMap { entities[$0] }
    for layout in sorted {
      layout.setFamily(sorted.filter { $0.entity.isKind(of: layout.entity) })
    }
    var builder = TableBuilder(layouts: layoutsByName, names: names)
    for layout in sorted where layout.root === layout { builder.addTable(of: layout) }
    tables = builder.finish()
    for layout in sorted { projections[layout.ordinal] = Projection(layout) }
  }

  private func add(_ entity: Schema.Entity, _ ordinal: Int, root: EntityLayout?, table: String) {
    guard let type = entity.modelType else { return }
    let layout = EntityLayout(
      entity: entity, ordinal: ordinal, runtime: ModelRuntime.of(type), root: root, table: table)
    entities[ordinal] = layout
    ordinals[ObjectIdentifier(entity)] = ordinal
    layoutsByName[entity.name] = layout
  }

  func layout(of entity: Schema.Entity) -> EntityLayout {
    guard let layout = ordinals[ObjectIdentifier(entity)].flatMap({ entities[$0] }) ?? layoutsByName[entity.name] else {
      preconditionFailure("\(entity.name) lies in another store")
    }
    return layout
  }

  /// The layout of a registered model's entity.
  func layout(of model: any PersistentModel) -> EntityLayout {
    guard let layout = model._$withState({ $0.binding?.ordinal }).flatMap({ entities[$0] }) else {
      preconditionFailure("A plan holds registered models of its own store only")
    }
    return layout
  }

  func layout(named name: String) -> EntityLayout? {
    layoutsByName[name]
  }

  func projection(of layout: EntityLayout) -> Projection {
    guard let projection = projections[layout.ordinal] else {
      preconditionFailure("\(layout.entity.name) lies in another store")
    }
    return projection
  }
}
