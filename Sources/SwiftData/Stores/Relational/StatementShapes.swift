import Relational
import Support

/// A statement that writes the properties of one row. Shapes are made of constants, so that threads may share them.
protocol RowShape: AnyObject {
  var sql: String { get }
  /// The first parameter of each property, by its index; zero for what is not written.
  var parameters: [Int32] { get }
  /// Those of them that stand for values which may be kept in files of their own.
  var externalParameters: Set<Int32> { get }
}

/// The statement that inserts a row of an entity.
final class InsertShape: RowShape, @unchecked Sendable {
  let sql: String
  let parameters: [Int32]
  let externalParameters: Set<Int32>
  let typeParameter: Int32
  /// The property whose members the row is placed among, and the parameter of its place.
  let positionParameters: [(property: Int, parameter: Int32)]

  init(_ layout: EntityLayout, _ dialect: any Dialect) {
    var columns = [LayoutNames.primaryKey]
    var typeParameter: Int32 = 0
    var positionParameters: [(property: Int, parameter: Int32)] = []
    var parameters: [Int32] = Array(repeating: 0, count: layout.properties.count)
    if let type = layout.typeColumn {
      columns.append(type)
      typeParameter = Int32(columns.count)
    }
    for property in layout.properties {
      let written = property.writtenColumns
      guard !written.isEmpty else { continue }
      parameters[property.index] = Int32(columns.count + 1)
      columns += written
      if case .reference(_, let position?) = property.storage {
        columns.append(position)
        positionParameters.append((property.index, Int32(columns.count)))
      }
    }
    self.parameters = parameters
    externalParameters = layout.externalParameters(parameters)
    self.typeParameter = typeParameter
    self.positionParameters = positionParameters
    let names = columns.map(dialect.quoted).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    sql = "INSERT INTO \(dialect.quoted(layout.table)) (\(names)) VALUES (\(marks))"
  }
}

/// The statement that updates some properties of a row.
final class UpdateShape: RowShape, @unchecked Sendable {
  let sql: String
  let parameters: [Int32]
  let externalParameters: Set<Int32>
  let properties: Set<Int>
  let keyParameter: Int32

  var isEmpty: Bool { properties.isEmpty }
  var hasExternal: Bool { !externalParameters.isEmpty }

  init(_ layout: EntityLayout, _ dialect: any Dialect, includes: (Int) -> Bool) {
    var columns: [String] = []
    var properties: Set<Int> = []
    var parameters: [Int32] = Array(repeating: 0, count: layout.properties.count)
    for property in layout.properties where includes(property.index) {
      let written = property.writtenColumns
      guard !written.isEmpty else { continue }
      parameters[property.index] = Int32(columns.count + 1)
      columns += written
      properties.insert(property.index)
    }
    self.parameters = parameters
    externalParameters = layout.externalParameters(parameters)
    self.properties = properties
    keyParameter = Int32(columns.count + 1)
    let assignments = columns.map { "\(dialect.quoted($0)) = ?" }.joined(separator: ", ")
    sql = """
      UPDATE \(dialect.quoted(layout.table)) SET \(assignments) \
      WHERE \(dialect.quoted(LayoutNames.primaryKey)) = ?
      """
  }
}

/// The statements that delete a row of an entity.
final class DeleteShape: Sendable {
  let sql: String
  /// What selects the name of the file of each attribute that may have one.
  let fileQueries: [String]

  init(_ layout: EntityLayout, _ dialect: any Dialect) {
    let condition = "\(dialect.quoted(LayoutNames.primaryKey)) = ?"
    sql = "DELETE FROM \(dialect.quoted(layout.table)) WHERE \(condition)"
    fileQueries = layout.externalColumns.map { Self.fileQuery($0, of: layout, where: condition, dialect) }
  }

  /// What selects the names of the files that a column of some rows leads to.
  static func fileQuery(
    _ column: String, of layout: EntityLayout, where condition: String, _ dialect: any Dialect
  ) -> String {
    let column = dialect.quoted(column)
    return "SELECT \(column) FROM \(dialect.quoted(layout.table)) WHERE \(condition) AND typeof(\(column)) = 'text'"
  }
}

/// A combination of values that no two rows of an entity may have, and the statement that finds the row that has it.
final class UniqueConstraint: Sendable {
  let sql: String
  /// What selects the values of a row.
  let valuesSQL: String
  /// The property and the column among its own, in the order of the constraint.
  let columns: [(property: Int, offset: Int32)]

  /// Nil when a part of the constraint has no column.
  init?(_ paths: [String], _ layout: EntityLayout, _ dialect: any Dialect) {
    var columns: [(property: Int, offset: Int32)] = []
    var names: [String] = []
    for path in paths {
      let parts = path.split(separator: ".").map(String.init)
      guard let first = parts.first, let property = layout.property(named: first), let name = layout.column(path: path)
      else { return nil }
      var offset = 0
      if case .attribute(let coding, _, _) = property.storage {
        offset = coding.columnIndex(of: parts.dropFirst()) ?? 0
      }
      columns.append((property.index, Int32(offset)))
      names.append(name)
    }
    self.columns = columns
    let condition = names.map { "\(dialect.quoted($0)) = ?" }.joined(separator: " AND ")
    let row = ([LayoutNames.primaryKey] + (layout.typeColumn.map { [$0] } ?? [])).map(dialect.quoted)
    let table = dialect.quoted(layout.table)
    sql = "SELECT \(row.joined(separator: ", ")) FROM \(table) WHERE \(condition)"
    valuesSQL = """
      SELECT \(names.map(dialect.quoted).joined(separator: ", ")) FROM \(table) \
      WHERE \(dialect.quoted(LayoutNames.primaryKey)) = ?
      """
  }

  /// The row that the statement stands at.
  func row(_ statement: Statement, _ layout: EntityLayout) throws -> RowKey {
    let key = statement.integer(0)
    guard RowIdentity.isNumber(key) else { throw layout.foreignKey(key) }
    guard layout.typeColumn != nil else { return RowKey(key: key, entity: layout.ordinal) }
    let type = statement.text(1)
    guard let entity = layout.root.family.first(where: { $0.entity.name == type }) else {
      throw layout.foreignType(type, key)
    }
    return RowKey(key: key, entity: entity.ordinal)
  }
}

/// The statements that saves of one store have in common.
final class StatementShapes: Sendable {
  private struct Updates: Hashable {
    let entity: Int
    /// The properties, as `_ModelState.dirty` has them.
    let dirty: UInt64
  }

  private struct Known {
    var inserts: [Int: InsertShape] = [:]
    var updates: [Updates: UpdateShape] = [:]
    var deletes: [Int: DeleteShape] = [:]
    var constraints: [Int: [UniqueConstraint]] = [:]
    var constrainedReferences: [Int: Set<Int>] = [:]
    var lastKeys: [String: String] = [:]
  }

  private let dialect: any Dialect
  private let known = Mutex(Known())
  /// How many kinds of updates are worth keeping.
  private static let updateCount = 1024

  init(_ dialect: any Dialect) {
    self.dialect = dialect
  }

  func insert(_ layout: EntityLayout) -> InsertShape {
    if let shape = known.withLock({ $0.inserts[layout.ordinal] }) { return shape }
    let shape = InsertShape(layout, dialect)
    known.withLock { $0.inserts[layout.ordinal] = shape }
    return shape
  }

  func update(_ layout: EntityLayout, dirty: UInt64) -> UpdateShape {
    let key = Updates(entity: layout.ordinal, dirty: dirty)
    if let shape = known.withLock({ $0.updates[key] }) { return shape }
    let shape = UpdateShape(layout, dialect) { dirty & _ModelState.bit($0) != 0 }
    known.withLock { known in
      if known.updates.count >= Self.updateCount { known.updates.removeAll() }
      known.updates[key] = shape
    }
    return shape
  }

  func delete(_ layout: EntityLayout) -> DeleteShape {
    if let shape = known.withLock({ $0.deletes[layout.ordinal] }) { return shape }
    let shape = DeleteShape(layout, dialect)
    known.withLock { $0.deletes[layout.ordinal] = shape }
    return shape
  }

  func constraints(of layout: EntityLayout) -> [UniqueConstraint] {
    if let constraints = known.withLock({ $0.constraints[layout.ordinal] }) { return constraints }
    let constraints = layout.entity.allUniquenessConstraints.compactMap { UniqueConstraint($0, layout, dialect) }
    known.withLock { $0.constraints[layout.ordinal] = constraints }
    return constraints
  }

  /// The to-ones that are part of the unique values of an entity's rows.
  func constrainedReferences(of layout: EntityLayout) -> Set<Int> {
    if let references = known.withLock({ $0.constrainedReferences[layout.ordinal] }) { return references }
    let properties = constraints(of: layout).flatMap { $0.columns.map(\.property) }
    let references = Set(properties.filter { layout.properties[$0].isReference })
    known.withLock { $0.constrainedReferences[layout.ordinal] = references }
    return references
  }

  /// What selects the last key of a table: of the rows there are, but for keys that no row of ours can have, and of
  /// those that there were as far as it is recorded under the name that is the parameter.
  func lastKey(of table: String) -> String {
    if let sql = known.withLock({ $0.lastKeys[table] }) { return sql }
    let key = dialect.quoted(LayoutNames.primaryKey)
    let sql = """
      SELECT max(ifnull((SELECT max(\(key)) FROM \(dialect.quoted(table)) WHERE \(key) <= \(RowIdentity.lastNumber)), 0), \
      ifnull((SELECT last FROM \(dialect.quoted(LayoutNames.sequences)) WHERE name = ?), 0))
      """
    known.withLock { $0.lastKeys[table] = sql }
    return sql
  }
}

extension EntityLayout {
  fileprivate func externalParameters(_ parameters: [Int32]) -> Set<Int32> {
    var external: Set<Int32> = []
    for index in properties.indices where parameters[index] > 0 {
      if case .attribute(_, _, isExternal: true) = properties[index].storage { external.insert(parameters[index]) }
    }
    return external
  }
}

extension PropertyLayout {
  /// The columns of the entity's own table that hold the value.
  var writtenColumns: [String] {
    switch storage {
    case .attribute(_, let columns, _): columns
    case .reference(let column, _): [column]
    case .ephemeral, .inverseReference, .referencedMembers, .joinedMembers: []
    }
  }
}
