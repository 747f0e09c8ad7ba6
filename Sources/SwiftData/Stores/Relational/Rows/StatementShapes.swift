import Relational
import Support

/// A statement that writes the properties of one row. Shapes are immutable, so that threads may share them.
protocol RowShape: AnyObject {
  var sql: String { get }
  /// The first parameter of each property, by its index; zero for properties that are not written.
  var parameters: [Int32] { get }
  /// The parameters of values that may be kept in external files.
  var externalParameters: Set<Int32> { get }
  /// The parameters that are part of unique values, whose texts are normalized.
  var uniqueParameters: Set<Int32> { get }
}

/// The statement that inserts a row of an entity.
final class InsertShape: RowShape, @unchecked Sendable {
  let sql: String
  let parameters: [Int32]
  let externalParameters: Set<Int32>
  let uniqueParameters: Set<Int32>
  let typeParameter: Int32
  /// The to-ones whose inverse is an ordered to-many, with the parameters of the row's positions.
  let positionParameters: [(property: Int, parameter: Int32)]
  /// The required attributes whose columns allow null.
  let unguarded: [_ModelProperty]
  /// The statement for the rows of a batch, if the database supports it.
  let batchSQL: String?
  /// The number of columns beside the key.
  let width: Int

  init(_ layout: EntityLayout, _ dialect: any Dialect, _ table: TableColumns) {
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
    uniqueParameters = layout.uniqueParameters(columns)
    self.typeParameter = typeParameter
    self.positionParameters = positionParameters
    unguarded = layout.properties.filter(layout.allowsNull).map { layout.runtime.properties[$0.index] }
    // Unique columns of other entities are null: an omitted column would get its default value.
    columns += layout.uniqueColumns.subtracting(columns).sorted()
    sql = dialect.render(Insert(into: layout.table, columns: columns)).sql
    width = columns.count - 1
    batchSQL = table[columns.dropFirst()].flatMap {
      dialect.insertion(into: layout.table, columns: $0, key: LayoutNames.primaryKey)
    }
  }
}

/// The statement that updates some properties of a row.
final class UpdateShape: RowShape, @unchecked Sendable {
  let sql: String
  let parameters: [Int32]
  let externalParameters: Set<Int32>
  let uniqueParameters: Set<Int32>
  let keyParameter: Int32
  var isEmpty: Bool { keyParameter == 1 }
  /// The statement for the rows of a batch, if the database supports it and the shape is used for many rows.
  let batchSQL: String?
  /// Select the names of the files that the row names before the update.
  let fileQueries: [String]

  /// - Parameter table: The columns of the table, for a shape that is used for many rows.
  init(_ layout: EntityLayout, _ dialect: any Dialect, _ table: TableColumns? = nil, includes: (Int) -> Bool) {
    var columns: [String] = []
    var externalColumns: [String] = []
    var parameters: [Int32] = Array(repeating: 0, count: layout.properties.count)
    for property in layout.properties where includes(property.index) {
      let written = property.writtenColumns
      guard !written.isEmpty else { continue }
      parameters[property.index] = Int32(columns.count + 1)
      columns += written
      if let external = property.externalColumn { externalColumns.append(external) }
    }
    self.parameters = parameters
    externalParameters = layout.externalParameters(parameters)
    uniqueParameters = layout.uniqueParameters(columns)
    keyParameter = Int32(columns.count + 1)
    sql = dialect.render(Update(layout.table, set: columns.map { .init($0, .parameter) }, where: .isRow)).sql
    batchSQL = table?[columns[...]].flatMap {
      dialect.update(layout.table, setting: $0, ofRowsWith: LayoutNames.primaryKey)
    }
    fileQueries = externalColumns.map { dialect.render(layout.fileNames(in: $0, where: .isRow)).sql }
  }
}

/// The statements that delete a row of an entity.
final class DeleteShape: Sendable {
  let sql: String
  /// Select the file name of each external attribute.
  let fileQueries: [String]

  init(_ layout: EntityLayout, _ dialect: any Dialect) {
    sql = dialect.render(Delete(from: layout.table, where: .isRow)).sql
    fileQueries = layout.externalColumns.map { dialect.render(layout.fileNames(in: $0, where: .isRow)).sql }
  }
}

/// The statements that write the links of a join table.
final class LinkShape: Sendable {
  /// Adds a link: owner, member, position, and the position in the inverse if that is ordered. Both sides add a link: the
  /// second one finds it and sets its position.
  let add: String
  /// Moves a link: position, owner, member.
  let move: String
  /// Removes a link: owner, member.
  let remove: String

  init(_ join: PropertyLayout.JoinTable, _ dialect: any Dialect) {
    var columns = [join.owner, join.member, join.position]
    if let inverse = join.inversePosition { columns.append(inverse) }
    let pair = SQLExpression.binary(
      .and, .binary(.equal, .column(join.owner), .parameter), .binary(.equal, .column(join.member), .parameter))
    let conflict = Insert.Conflict(key: [join.owner, join.member], column: join.position, resolution: .takeNew)
    add = dialect.render(Insert(into: join.table, columns: columns, conflict: conflict)).sql
    move = dialect.render(Update(join.table, set: [.init(join.position, .parameter)], where: pair)).sql
    remove = dialect.render(Delete(from: join.table, where: pair)).sql
  }
}

/// A unique combination of columns of an entity, and the statement that finds the row with given values.
final class UniqueConstraint: Sendable {
  let sql: String
  /// Finds the rows of many combinations of values, if the database can.
  let batchSQL: String?
  /// Selects the values of a row.
  let valuesSQL: String
  /// The property of each part, and the offset of its column among the property's columns.
  let columns: [(property: Int, offset: Int32)]

  /// Nil when a part of the constraint has no column.
  init?(_ paths: [String], _ layout: EntityLayout, _ dialect: any Dialect, _ table: TableColumns) {
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
    let tests = names.map { SQLExpression.binary(.equal, .column($0), .parameter) }
    guard let first = tests.first else { return nil }
    let condition = tests.dropFirst().reduce(first) { .binary(.and, $0, $1) }
    let row = [LayoutNames.primaryKey] + (layout.typeColumn.map { [$0] } ?? [])
    sql = dialect.render(Select(columns: row, from: layout.table, condition: condition)).sql
    batchSQL = table[names[...]].flatMap { dialect.lookup(in: layout.table, matching: $0, selecting: row) }
    valuesSQL = dialect.render(Select(columns: names, from: layout.table, condition: .isRow)).sql
  }

  /// The row that the statement has found.
  ///
  /// - Parameter column: The column of its key.
  func row(_ statement: Statement, _ layout: EntityLayout, at column: Int32 = 0) throws -> RowKey {
    let key = statement.integer(column)
    guard RowIdentity.isValid(key) else { throw layout.invalidKey(key) }
    guard layout.typeColumn != nil else { return RowKey(key: key, entity: layout.ordinal) }
    let type = statement.text(column + 1)
    guard let entity = layout.root.family.first(where: { $0.entity.name == type }) else {
      throw layout.unknownType(type, key)
    }
    return RowKey(key: key, entity: entity.ordinal)
  }
}

/// The statements that all saves of one store share.
final class StatementShapes: Sendable {
  private struct Updates: Hashable {
    let entity: Int
    /// The properties, as bits of `_ModelState.dirty`.
    let dirty: UInt64
  }

  private struct Known {
    var inserts: [Int: InsertShape] = [:]
    var updates: [Updates: UpdateShape] = [:]
    var deletes: [Int: DeleteShape] = [:]
    var constraints: [Int: [UniqueConstraint]] = [:]
    var constrainedReferences: [Int: Set<Int>] = [:]
    var links: [PropertyLayout.JoinTable: LinkShape] = [:]
    var statements: [KnownStatement: String] = [:]
  }

  private enum KnownStatement: Hashable {
    case lastKey(of: String)
    case position(table: String, position: String)
    case clearedPositions(table: String, position: String)
  }

  private let dialect: any Dialect
  private let tables: [String: TableColumns]
  /// Inserts a transaction into the history.
  let historyInsertion: String
  /// Selects the transactions to delete first.
  let historyBeginning: RenderedStatement
  private let known = Mutex(Known())
  /// The maximum number of cached updates.
  private static let updateCount = 1024

  init(_ dialect: any Dialect, _ tables: [TableDefinition]) {
    self.dialect = dialect
    self.tables = Dictionary(tables.map { ($0.name, TableColumns($0)) }) { first, _ in first }
    historyInsertion = dialect.render(HistoryTable.insertion).sql
    historyBeginning = dialect.render(HistoryTable.beginning)
  }

  private func columns(of layout: EntityLayout) -> TableColumns {
    tables[layout.table] ?? TableColumns(TableDefinition(name: layout.table, columns: []))
  }

  func insert(_ layout: EntityLayout) -> InsertShape {
    if let shape = known.withLock({ $0.inserts[layout.ordinal] }) { return shape }
    let shape = InsertShape(layout, dialect, columns(of: layout))
    known.withLock { $0.inserts[layout.ordinal] = shape }
    return shape
  }

  func update(_ layout: EntityLayout, dirty: UInt64) -> UpdateShape {
    let key = Updates(entity: layout.ordinal, dirty: dirty)
    if let shape = known.withLock({ $0.updates[key] }) { return shape }
    let shape = UpdateShape(layout, dialect, columns(of: layout)) { dirty & _ModelState.bit($0) != 0 }
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
    let constraints = layout.entity.allUniquenessConstraints.compactMap {
      UniqueConstraint($0, layout, dialect, columns(of: layout))
    }
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

  func links(_ join: PropertyLayout.JoinTable) -> LinkShape {
    if let shape = known.withLock({ $0.links[join] }) { return shape }
    let shape = LinkShape(join, dialect)
    known.withLock { $0.links[join] = shape }
    return shape
  }

  /// Selects the last key of the rows of a table up to the first parameter, and the recorded number for the name in the
  /// second parameter. Either is null if there is none.
  func lastKey(of table: String) -> String {
    sql(.lastKey(of: table)) {
      let key = SQLExpression.column(LayoutNames.primaryKey)
      var last = Select(columns: [], from: table, condition: .binary(.lessOrEqual, key, .parameter))
      last.columns = [.aggregate(.maximum, key, distinct: false)]
      return dialect.render(Select(row: [.scalar(last), .scalar(KeySequences.recorded)]))
    }
  }

  /// Sets the position of a member, unless it has another owner now: position, key, key of the owner.
  func position(in table: String, _ position: String, reference: String) -> String {
    sql(.position(table: table, position: position)) {
      let isMember = SQLExpression.binary(.and, .isRow, .binary(.equal, .column(reference), .parameter))
      return dialect.render(Update(table, set: [.init(position, .parameter)], where: isMember))
    }
  }

  /// Sets the position of an owner's members without one: position, key of the owner.
  func clearedPositions(in table: String, _ position: String, reference: String) -> String {
    sql(.clearedPositions(table: table, position: position)) {
      let isMember = SQLExpression.binary(
        .and, .binary(.equal, .column(reference), .parameter), .isNull(.column(position)))
      return dialect.render(Update(table, set: [.init(position, .parameter)], where: isMember))
    }
  }

  private func sql(_ statement: KnownStatement, _ render: () -> RenderedStatement) -> String {
    if let sql = known.withLock({ $0.statements[statement] }) { return sql }
    let sql = render().sql
    known.withLock { $0.statements[statement] = sql }
    return sql
  }
}

/// The columns of a table by their names.
struct TableColumns {
  private let columns: [String: TableDefinition.Column]

  init(_ table: TableDefinition) {
    columns = Dictionary(table.columns.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The columns with some names; nil if the table lacks one.
  subscript(_ names: ArraySlice<String>) -> [TableDefinition.Column]? {
    let found = names.compactMap { columns[$0] }
    return found.count == names.count ? found : nil
  }
}

extension SQLExpression {
  /// Whether a row has the key of the parameter.
  static var isRow: SQLExpression { .binary(.equal, .column(LayoutNames.primaryKey), .parameter) }
}

extension EntityLayout {
  /// The names of the files in a column of some rows.
  func fileNames(in column: String, where condition: SQLExpression? = nil) -> Select {
    Self.fileNames(in: column, of: table, where: condition)
  }

  static func fileNames(in column: String, of table: String, where condition: SQLExpression? = nil) -> Select {
    let isFileName = SQLExpression.idiom(.isFileName(.column(column)))
    return Select(
      columns: [column], from: table, condition: condition.map { .binary(.and, $0, isFileName) } ?? isFileName)
  }

  /// Whether all columns of a required attribute allow null: columns that some of the table's entities lack are null in
  /// the rows of these.
  fileprivate func allowsNull(_ property: PropertyLayout) -> Bool {
    guard case .attribute(let coding, _, _) = property.storage, !property.isOptional else { return false }
    return property.index >= root.properties.count || coding.allowsNull
  }

  fileprivate func uniqueParameters(_ columns: [String]) -> Set<Int32> {
    let unique = uniqueColumns
    return Set(columns.indices.filter { unique.contains(columns[$0]) }.map { Int32($0 + 1) })
  }

  fileprivate func externalParameters(_ parameters: [Int32]) -> Set<Int32> {
    var external: Set<Int32> = []
    for index in properties.indices where parameters[index] > 0 {
      if case .attribute(_, _, isExternal: true) = properties[index].storage { external.insert(parameters[index]) }
    }
    return external
  }
}
