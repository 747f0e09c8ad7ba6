import Relational

/// The tables of a store and their meaning: only here, a schema is mapped to tables.
///
/// A layout is built once for a store and is immutable afterwards, so threads may share it.
final class StoreLayout: @unchecked Sendable {
  /// The layouts by the position of the entity in the schema; nil for entities in other stores.
  private let entities: [EntityLayout?]
  private(set) var tables: [TableDefinition] = []
  let rules: LayoutRules
  private let givenFolding: FoldingFunction?
  /// Whether any table has a column of a one-to-one.
  private(set) var hasOneToOnes = false
  private let layoutsByName: [String: EntityLayout]
  private var projections: [Int: Projection] = [:]

  /// - Parameters:
  ///   - ordinals: The positions in the schema of the entities in the store.
  ///   - folding: The function of search indexes; nil for the current rules.
  init(
    schema: Schema, entities ordinals: [Int], rules: LayoutRules = .local, folding: FoldingFunction? = nil
  ) {
    self.rules = rules
    givenFolding = folding
    var names = ColumnNames(longest: rules.longestName)
    for name in [LayoutNames.metadata, LayoutNames.sequences, LayoutNames.history] { _ = names.claim(name) }
    // By name, and bases before subclasses, so that the order of models in the schema does not change the layout.
    let ordered = ordinals.filter { schema.entities[$0].modelType != nil }.sorted {
      let (first, second) = (schema.entities[$0], schema.entities[$1])
      return (Array(first.superentities).count, first.name) < (Array(second.superentities).count, second.name)
    }
    var entities = [EntityLayout?](repeating: nil, count: schema.entities.count)
    var layoutsByName: [String: EntityLayout] = [:]
    func add(_ ordinal: Int, root: EntityLayout?, table: String) {
      let entity = schema.entities[ordinal]
      guard let type = entity.modelType else { return }
      let layout = EntityLayout(
        entity: entity, ordinal: ordinal, runtime: ModelRuntime.of(type), root: root, table: table)
      entities[ordinal] = layout
      layoutsByName[entity.name] = layout
    }
    for ordinal in ordered where schema.entities[ordinal].superentity == nil {
      add(ordinal, root: nil, table: names.claim(schema.entities[ordinal].name))
    }
    for ordinal in ordered where schema.entities[ordinal].superentity != nil {
      if let root = layoutsByName[schema.entities[ordinal].rootEntity.name] {
        add(ordinal, root: root, table: root.table)
      }
    }
    self.entities = entities
    self.layoutsByName = layoutsByName
    let sorted = ordered.compactMap { entities[$0] }
    for layout in sorted {
      layout.setFamily(sorted.filter { $0.entity.isKind(of: layout.entity) })
    }
    var builder = TableBuilder(
      layouts: layoutsByName, names: names, rules: rules, folding: folding ?? .current)
    for layout in sorted where layout.root === layout { builder.addTable(of: layout) }
    tables = builder.finish()
    for layout in sorted { projections[layout.ordinal] = Projection(layout) }
    hasOneToOnes = sorted.contains { $0.exclusiveReferences != 0 }
  }

  /// The sort keys of indexes.
  var sorting: TextSorting { rules.sorting }

  /// The function of search indexes. The first access takes milliseconds.
  var folding: FoldingFunction { givenFolding ?? .current }

  /// The function, if the layout has search indexes.
  var neededFoldings: [FoldingFunction] { tables.haveSearches ? [folding] : [] }

  // The preconditions below cannot fail: a binding's session belongs to the store of its entity, the plan for a store has
  // only models and rows of its entities, all entities of an inheritance are in one store (`ContainerCore`), and a schema
  // that lacks a superclass, or has a name twice, is refused (`Schema.validate`).

  func layout(of entity: Schema.Entity) -> EntityLayout {
    guard let layout = layoutsByName[entity.name] else {
      preconditionFailure("\(entity.name) is in another store")
    }
    return layout
  }

  /// The layout of a registered model's entity.
  func layout(of model: any PersistentModel) -> EntityLayout {
    guard let ordinal = model._$withState({ $0.withBinding { $0.ordinal } }), let layout = entities[ordinal] else {
      preconditionFailure("A plan holds registered models of its own store only")
    }
    return layout
  }

  func layout(at ordinal: Int) -> EntityLayout {
    guard let layout = entities[ordinal] else { preconditionFailure("Entity \(ordinal) is in another store") }
    return layout
  }

  var all: [EntityLayout] {
    entities.compactMap { $0 }
  }

  /// The number of properties that a model of an entity shares with a row of another, which come first in both.
  func commonPropertyCount(_ layout: EntityLayout, _ row: RowKey) -> Int {
    row.entity == layout.ordinal
      ? layout.properties.count
      : layout.runtime.commonPropertyCount(with: self.layout(at: row.entity).runtime)
  }

  func layout(named name: String) -> EntityLayout? {
    layoutsByName[name]
  }

  func projection(of layout: EntityLayout) -> Projection {
    guard let projection = projections[layout.ordinal] else {
      preconditionFailure("\(layout.entity.name) is in another store")
    }
    return projection
  }
}
