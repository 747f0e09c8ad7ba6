import Relational

/// One step that takes a store's tables from one layout to another without asking anybody.
enum LayoutChange: Hashable {
  case createTable(TableDefinition)
  case addColumn(table: String, TableDefinition.Column)
  case renameTable(from: String, to: String)
  /// Nothing but what is recorded of a table.
  case describeTable(String)
  case renameColumn(table: String, from: String, to: String)
  case dropColumn(table: String, column: String)
  case createIndex(table: String, TableDefinition.Index)
  case dropIndex(String)
  case dropTable(String)
  /// Makes a table anew, with the rows it has, where its definition changed in a way that cannot be added or dropped. By
  /// then it has all columns of the new definition.
  case rebuildTable(TableDefinition)

  /// Why a layout cannot become another one silently.
  struct Obstacles: Error {
    var issues: [SwiftDataError.Issue]
  }

  /// The steps, in an order that works; or everything that stands in the way.
  static func changes(
    from old: [TableDefinition], to new: [TableDefinition]
  ) -> Result<[LayoutChange], Obstacles> {
    var comparison = Comparison()
    let oldTables = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let names = FormerNames(
      old: Set(oldTables.keys), new: new.map { (name: $0.name, original: $0.originalName ?? $0.name) })
    for table in old where !names.isKept(table.name) { comparison.remove(table) }
    comparison.steps += names.renamings.map { .renameTable(from: $0.from, to: $0.to) }
    for table in new {
      if let existing = names.former(of: table.name).flatMap({ oldTables[$0] }) {
        comparison.compare(existing, table)
      } else {
        comparison.steps.append(.createTable(table))
      }
    }
    guard comparison.issues.isEmpty else { return .failure(Obstacles(issues: comparison.issues)) }
    return .success(comparison.indexesToDrop + comparison.steps + comparison.indexesToCreate)
  }

  func statements(_ dialect: any Dialect) -> [String] {
    switch self {
    case .createTable(let table): dialect.createTable(table)
    case .addColumn(let table, let column): [dialect.addColumn(column, to: table)]
    case .describeTable: []
    case .renameTable(let from, let to):
      ["ALTER TABLE \(dialect.quoted(from)) RENAME TO \(dialect.quoted(to))"]
    case .renameColumn(let table, let from, let to):
      ["ALTER TABLE \(dialect.quoted(table)) RENAME COLUMN \(dialect.quoted(from)) TO \(dialect.quoted(to))"]
    case .dropColumn(let table, let column): dialect.dropColumn(column, from: table)
    case .createIndex(let table, let index): [dialect.createIndex(index, on: table)]
    case .dropIndex(let name): [dialect.dropIndex(name)]
    case .dropTable(let name): ["DROP TABLE \(dialect.quoted(name))"]
    case .rebuildTable(let table): Self.rebuild(table, dialect)
    }
  }

  /// Whether the step works only while the database does not look after foreign keys: dropping a table would carry out
  /// their delete rules.
  var suspendsForeignKeys: Bool {
    if case .rebuildTable = self { true } else { false }
  }

  private static func rebuild(_ table: TableDefinition, _ dialect: any Dialect) -> [String] {
    var copy = table
    copy.name = "swiftdata_rebuilt_\(table.name)"
    copy.indexes = []
    let names = table.columns.map { dialect.quoted($0.name) }.joined(separator: ", ")
    let (old, new) = (dialect.quoted(table.name), dialect.quoted(copy.name))
    return dialect.createTable(copy) + [
      "INSERT INTO \(new) (\(names)) SELECT \(names) FROM \(old)", "DROP TABLE \(old)",
      "ALTER TABLE \(new) RENAME TO \(old)",
    ] + table.indexes.map { dialect.createIndex($0, on: table.name) }
  }

  private struct Comparison {
    var indexesToDrop: [LayoutChange] = []
    var steps: [LayoutChange] = []
    var indexesToCreate: [LayoutChange] = []
    var issues: [SwiftDataError.Issue] = []

    /// A join table goes with the property that needed it; a model's table would take the models with it.
    mutating func remove(_ table: TableDefinition) {
      if table.compositePrimaryKey.isEmpty {
        issues.append(.init(entity: table.name, message: "The store has models of \(table.name), and the schema none."))
      } else {
        steps.append(.dropTable(table.name))
      }
    }

    /// What the columns do not tell: which kinds of rows there are, and how they are linked.
    private mutating func compareDescriptions(_ old: TableDefinition, _ new: TableDefinition) {
      for kind in Set(old.kinds ?? []).subtracting(new.kinds ?? []).sorted() {
        issues.append(.init(entity: kind, message: "The store has models of \(kind), and the schema none."))
      }
      let links = old.relationships ?? [:]
      for (relationship, link) in links.sorted(by: { $0.key < $1.key }) {
        guard let newLink = new.relationships?[relationship], newLink != link else { continue }
        let names = relationship.split(separator: ".").map(String.init)
        issues.append(
          .init(entity: names.first, property: names.last, message: "It was \(link), and is \(newLink) now."))
      }
      if Set(old.kinds ?? []) != Set(new.kinds ?? []) || old.relationships != new.relationships {
        steps.append(.describeTable(new.name))
      }
    }

    mutating func compare(_ old: TableDefinition, _ new: TableDefinition) {
      compareDescriptions(old, new)
      let oldColumns = Dictionary(old.columns.map { ($0.name, $0) }) { first, _ in first }
      let names = FormerNames(
        old: Set(oldColumns.keys), new: new.columns.map { (name: $0.name, original: $0.originalName) })
      steps += names.renamings.map { .renameColumn(table: new.name, from: $0.from, to: $0.to) }
      var needsRebuilding = false
      let (firstDrop, firstCreation) = (indexesToDrop.count, indexesToCreate.count)
      // An index goes along with its columns, and keeps its name, which another one may want.
      let indexes = old.indexes.map { index in
        var index = index
        index.columns = index.columns.map { names.present(of: $0) ?? $0 }
        return index
      }
      indexesToDrop += Set(indexes).subtracting(new.indexes).map(\.name).sorted().map { .dropIndex($0) }
      indexesToCreate += new.indexes.filter { !indexes.contains($0) }.map { .createIndex(table: new.name, $0) }
      for column in new.columns {
        if let existing = names.former(of: column.name).flatMap({ oldColumns[$0] }) {
          needsRebuilding = check(existing, column, new.name) || needsRebuilding
        } else if column.isNullable || column.defaultValue != nil {
          steps.append(.addColumn(table: new.name, column))
        } else {
          issues.append(
            .init(
              entity: new.name, property: column.name,
              message: "A new property needs a default value or an optional type, for the models that exist."))
        }
      }
      let key = old.compositePrimaryKey.map { names.present(of: $0) ?? $0 }
      if key != new.compositePrimaryKey {
        // A renaming can change which side of a join table comes first.
        needsRebuilding = true
        if Set(key) != Set(new.compositePrimaryKey) {
          issues.append(.init(entity: new.name, message: "The table's key changed."))
        }
      }
      let dropped = old.columns.filter { !names.isKept($0.name) }
      // SQLite drops no column that a foreign key names.
      needsRebuilding = needsRebuilding || dropped.contains { $0.references != nil }
      if needsRebuilding {
        // Columns that are gone, and indexes, go with the old table.
        steps.append(.rebuildTable(new))
        indexesToDrop.removeSubrange(firstDrop...)
        indexesToCreate.removeSubrange(firstCreation...)
      } else {
        steps += dropped.map { .dropColumn(table: new.name, column: $0.name) }
      }
    }

    /// - Returns: whether the column became optional, which takes a new table.
    private mutating func check(
      _ old: TableDefinition.Column, _ new: TableDefinition.Column, _ table: String
    ) -> Bool {
      var differences: [String] = []
      if old.type != new.type || old.meaning != new.meaning {
        differences.append("its type changed from \(old.described) to \(new.described)")
      }
      if let owner = old.owner, let newOwner = new.owner, owner != newOwner {
        differences.append("it has the values of \(owner), and the schema wants those of \(newOwner) there")
      }
      if old.isNullable && !new.isNullable { differences.append("it is optional no more") }
      let becameOptional = !old.isNullable && new.isNullable
      // What happens to a reference when its target goes depends on whether it may be empty.
      let isTargetAlike = old.references?.table == new.references?.table
      if old.references != new.references, !(becameOptional && isTargetAlike) {
        differences.append("its target or its delete rule changed")
      }
      if !differences.isEmpty {
        issues.append(
          .init(entity: table, property: new.name, message: differences.joined(separator: ", and ") + "."))
      }
      return becameOptional
    }
  }
}

/// What tables, or the columns of one, were called before.
private struct FormerNames {
  /// In an order in which each new name is free when its turn comes.
  private(set) var renamings: [(from: String, to: String)] = []
  private var formerNames: [String: String] = [:]
  private var presentNames: [String: String] = [:]

  /// - Parameter new: The names of now, each with the one that it had before according to the schema. It says so for
  ///   good, so it counts only where the present name is a new one, or has itself passed from something else to this:
  ///   `a` became `b`, and `s` became `a`.
  init(old: Set<String>, new: [(name: String, original: String)]) {
    let originals = Dictionary(new.map { ($0.name, $0.original) }) { first, _ in first }
    var taken: Set<String> = []
    for (name, _) in new where !old.contains(name) {
      var chain: [(from: String, to: String)] = []
      var last = name
      while let original = originals[last], original != last, old.contains(original), !taken.contains(original),
        !chain.contains(where: { $0.from == original })
      {
        chain.append((from: original, to: last))
        last = original
      }
      // What is at the chain's end has to be nobody's any more.
      guard let end = chain.last, originals[end.from] == nil else { continue }
      taken.formUnion(chain.map(\.from))
      renamings += chain
    }
    for (from, to) in renamings { note(from, to) }
    for (name, _) in new where old.contains(name) && formerNames[name] == nil && presentNames[name] == nil {
      note(name, name)
    }
  }

  private mutating func note(_ former: String, _ present: String) {
    formerNames[present] = former
    presentNames[former] = present
  }

  func former(of name: String) -> String? { formerNames[name] }
  func present(of name: String) -> String? { presentNames[name] }
  func isKept(_ name: String) -> Bool { presentNames[name] != nil }
}

extension TableDefinition.Column {
  fileprivate var described: String {
    meaning.isEmpty ? type.rawValue : meaning
  }
}
