import Foundation
import Relational

extension UnopenedStore {
  /// The changes of tables in each step of a migration, and the obstacles of each.
  func preview(
    _ stops: [StoreRoute.Stop]
  ) throws -> [(changes: [MigrationStep.Change], issues: [SwiftDataError.Issue])] {
    try reading { connection, metadata in
      let files = configuration.hasFile ? ExternalFiles(store: configuration.url) : nil
      var store = try MigrationSimulator(metadata, connection, dialect)
      return try stops.map { stop in
        let target = try MigrationTarget(stop, configuration.layoutRules)
        let migration = TargetMigration(dialect: dialect, target: target, files: files)
        return try migration.preview(&store, connection)
      }
    }
  }

  /// The differences between the file, its metadata and a schema.
  ///
  /// - Parameter entities: The positions in the schema of the entities in the store.
  func drift(from schema: Schema, _ entities: [Int]) throws -> [SwiftDataError.Issue] {
    try reading { connection, metadata in
      let recorded = try metadata.layout()
      var issues = recorded.drift(try connection.tables(), dialect)
      if let recordedSchema = metadata.schema, recordedSchema.versionHash != metadata.schemaHash {
        issues.append(.init(message: "The recorded schema of the store does not match its hash."))
      }
      let part = schema.part(entities)
      if part.versionHash != metadata.schemaHash {
        let found = metadata.schema?.entities ?? []
        let differences = SchemaDifference.issues(of: found, beside: part)
        issues += differences.isEmpty ? [.init(message: "The store has another version of the schema.")] : differences
      } else {
        let layout = StoreLayout(
          schema: schema, entities: entities, rules: configuration.layoutRules, folding: FoldingInterception.function)
        if case .success(let steps) = LayoutChange.changes(from: recorded, to: layout.tables) {
          issues += steps.map { .init(message: "Opening the store \($0.summary).") }
        }
      }
      return issues
    }
  }
}

extension UnopenedStore {
  /// The recorded tables and columns that the file lacks.
  func lackingParts() throws -> [SwiftDataError.Issue] {
    try reading { connection, metadata in try metadata.layout().lackingParts(in: try connection.tables()) }
  }
}

extension MigrationTarget {
  fileprivate init(_ stop: StoreRoute.Stop, _ rules: LayoutRules) throws {
    let layout = StoreLayout(
      schema: stop.schema, entities: stop.entities, rules: rules, folding: FoldingInterception.function)
    self.init(
      layout: layout, record: try SchemaRecord(stop.schema.part(stop.entities), layout.tables), loss: stop.loss)
  }
}

extension [TableDefinition] {
  fileprivate func lackingParts(in existing: [String: ExistingTable]) -> [SwiftDataError.Issue] {
    flatMap { table -> [SwiftDataError.Issue] in
      guard let found = existing[table.name] else { return [.lacking(table)] }
      let names = Set(found.columns.map(\.name))
      return table.columns.filter { !names.contains($0.name) }.map { .lacking($0, of: table) }
    }
  }

  /// The differences between the tables of a database and the recorded ones.
  fileprivate func drift(_ existing: [String: ExistingTable], _ dialect: any Dialect) -> [SwiftDataError.Issue] {
    flatMap { table -> [SwiftDataError.Issue] in
      guard let found = existing[table.name] else { return [.lacking(table)] }
      var issues: [SwiftDataError.Issue] = []
      func add(_ column: String?, _ message: String) {
        issues.append(.init(entity: table.name, property: column, message: message))
      }
      let columns = Dictionary(found.columns.map { ($0.name, $0) }) { first, _ in first }
      for column in table.columns {
        guard let other = columns[column.name] else {
          issues.append(.lacking(column, of: table))
          continue
        }
        let type = dialect.typeName(column)
        if other.type.lowercased() != type.lowercased() {
          add(column.name, "The column is \(other.type) in the store instead of \(type).")
        }
        if other.isNullable != column.isNullable, !column.isPrimaryKey,
          !table.compositePrimaryKey.contains(column.name)
        {
          add(column.name, "The column may \(other.isNullable ? "" : "not ")be null in the store.")
        }
      }
      let known = Set(table.columns.map(\.name))
      for column in found.columns where !known.contains(column.name) {
        add(column.name, "The store has a column that is not recorded.")
      }
      for index in table.indexes where !found.indexes.contains(index.name) {
        add(nil, "The store lacks the index \(index.name).")
      }
      for index in found.indexes.subtracting(table.indexes.map(\.name)).sorted() {
        add(nil, "The store has an index \(index) that is not recorded.")
      }
      return issues
    }
  }
}

extension SwiftDataError.Issue {
  fileprivate static func lacking(_ table: TableDefinition) -> Self {
    .init(entity: table.name, message: "The store has no such table.")
  }

  fileprivate static func lacking(_ column: TableDefinition.Column, of table: TableDefinition) -> Self {
    .init(entity: table.name, property: column.name, message: "The store has no such column.")
  }
}
