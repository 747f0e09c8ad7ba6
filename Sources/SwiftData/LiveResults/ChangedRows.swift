/// The changed rows with their current models, for all queries that evaluate them.
final class ChangedRows {
  struct Row {
    let key: Int64
    let entity: Int
    let properties: LiveChanges.Properties
    /// Nil if the row is gone.
    let model: (any PersistentModel)?
    /// Whether the only record of the row is an insertion or a deletion.
    var isRecordedOnce = false
  }

  /// By the position of the entity in the schema; nil if other rows may have changed as well.
  private var rows: [Int: [Row]?] = [:]
  private var groups: [(entities: [Int], group: Group)] = []

  /// - Throws: Why rows that are not in memory could not be read.
  init(_ changes: LiveChanges, _ graph: ObjectGraph) throws {
    for entity in changes.changed {
      let changed = changes.entities[entity]
      rows[entity] = changed.hasUnlistedKeys ? .some(nil) : try Self.rows(changed, of: entity, graph)
    }
  }

  private static func rows(
    _ changed: LiveChanges.EntityChanges, of entity: Int, _ graph: ObjectGraph
  ) throws -> [Row] {
    let properties = Dictionary(changed.rows.map { ($0.key, (all: $0.properties, count: 1)) }) {
      ($0.all | $1.all, $0.count + $1.count)
    }
    var unsaved: [Int64: (model: (any PersistentModel)?, properties: LiveChanges.Properties)] = [:]
    for (key, position, properties) in changed.unsaved {
      if unsaved[key] != nil {
        unsaved[key]?.properties |= properties
        continue
      }
      // A model that was saved since has a row, which is among the changed rows.
      let model = graph.journal.inserted.model(at: position).flatMap { $0._$withState { $0.key } == key ? $0 : nil }
      unsaved[key] = (model, model == nil ? .max : properties)
    }
    var models = try graph.presentModels(of: properties.keys.map { RowKey(key: $0, entity: entity) })
    models = models.filter { $0.value._$withState { $0.withBinding { $0.ordinal } } == entity }
    return properties.map { key, notes in
      Row(
        key: key, entity: entity, properties: notes.all, model: models[key],
        isRecordedOnce: notes.count == 1 && notes.all == .max)
    }
      + unsaved.map { Row(key: $0.key, entity: entity, properties: $0.value.properties, model: $0.value.model) }
  }

  /// The changed rows of some entities; nil if others may have changed as well.
  func group(of entities: [Int]) -> Group? {
    if let known = groups.first(where: { $0.entities == entities }) { return known.group }
    var found: [Row] = []
    for entity in entities {
      guard let changed = rows[entity] else { continue }
      guard let changed else { return nil }
      found += changed
    }
    let group = Group(rows: found)
    groups.append((entities, group))
    return group
  }

  /// The changed rows of the entities that queries fetch, with results that several queries share.
  final class Group {
    let rows: [Row]
    /// The index of the row with a key.
    private(set) lazy var indices = Dictionary(
      rows.indices.map { (rows[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
    /// Whether models may have been saved since the queries were evaluated.
    private(set) lazy var hasSaved = rows.contains { $0.key > 0 && $0.properties == .max }
    private var attributes: [AttributeHashes] = []
    private var ranks: [AnyHashable: [Int]] = [:]
    /// All rows.
    let allIndices: [Int]
    /// The properties that have changed in each row.
    private let commonProperties: LiveChanges.Properties

    init(rows: [Row]) {
      self.rows = rows
      allIndices = Array(rows.indices)
      commonProperties = rows.reduce(.max) { $0 & $1.properties }
    }

    /// The indices of the rows whose change may matter to a query.
    func indices(for concern: ResultsConcern) -> [Int] {
      let common = concern.ownEntities.reduce(commonProperties) { $0 & concern.properties[$1] }
      if common != 0 || commonProperties == .max { return allIndices }
      return allIndices.filter { concern.isConcerned(by: rows[$0]) }
    }

    /// Whether any of the rows may change the results of a query, according to its filter.
    func concerns(_ filter: LiveQueryFilter) -> Bool {
      guard rows.count <= 4, let demand = filter.demand else { return true }
      for index in rows.indices where filter.mayHave(rows[index].key) { return true }
      return hashes(of: demand).byRow.contains(demand.hash)
    }

    /// The indices, among some, of the rows whose attribute may have the demanded value.
    func indices(among indices: [Int], with demand: EqualityDemand) -> [Int] {
      let hashes = hashes(of: demand)
      if indices.count <= 4 { return indices.filter { hashes.byRow[$0] == demand.hash } }
      let found = hashes.indices[demand.hash] ?? []
      return indices.count == rows.count ? found : found.filter(Set(indices).contains)
    }

    private func hashes(of demand: EqualityDemand) -> AttributeHashes {
      for attribute in attributes where attribute.keyPath === demand.attribute { return attribute }
      let hashes = AttributeHashes(of: demand.attribute, rows.map { $0.model.map(demand.read) })
      attributes.append(hashes)
      return hashes
    }

    /// The hashes of an attribute's value in each of the rows.
    private final class AttributeHashes {
      let keyPath: AnyKeyPath
      let byRow: [Int?]
      /// The indices of the rows with each hash.
      private(set) lazy var indices: [Int: [Int]] = {
        var indices: [Int: [Int]] = [:]
        for (index, hash) in byRow.enumerated() { if let hash { indices[hash, default: []].append(index) } }
        return indices
      }()

      init(of keyPath: AnyKeyPath, _ byRow: [Int?]) {
        self.keyPath = keyPath
        self.byRow = byRow
      }
    }

    /// The rank of each row in an order, which several queries share.
    ///
    /// - Parameter name: Identifies the order.
    func ranks(inOrder name: AnyHashable, precedes: (Int, Int) -> Bool) -> [Int] {
      if let known = ranks[name] { return known }
      var found = Array(repeating: 0, count: rows.count)
      let indices = rows.indices.filter { rows[$0].model != nil }.sorted(by: precedes)
      for (rank, index) in indices.enumerated() { found[index] = rank }
      ranks[name] = found
      return found
    }
  }
}
