import Relational

/// The statement that inserts a row of an entity.
struct InsertShape {
  let sql: String
  /// The first parameter of each property, by its index; zero for what is not written.
  private(set) var parameters: [Int32]
  private(set) var typeParameter: Int32 = 0
  /// The property whose members the row is placed among, and the parameter of its place.
  private(set) var positionParameters: [(property: Int, parameter: Int32)] = []

  init(_ layout: EntityLayout, _ dialect: any Dialect) {
    var columns = [LayoutNames.primaryKey]
    parameters = Array(repeating: 0, count: layout.properties.count)
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
    let names = columns.map(dialect.quoted).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    sql = "INSERT INTO \(dialect.quoted(layout.table)) (\(names)) VALUES (\(marks))"
  }
}

/// The statement that updates some properties of a row.
struct UpdateShape {
  let sql: String
  private(set) var parameters: [Int32]
  private(set) var properties: Set<Int> = []
  private(set) var hasExternal = false
  let keyParameter: Int32

  var isEmpty: Bool { properties.isEmpty }

  init(_ layout: EntityLayout, _ dialect: any Dialect, includes: (Int) -> Bool) {
    var columns: [String] = []
    parameters = Array(repeating: 0, count: layout.properties.count)
    for property in layout.properties where includes(property.index) {
      let written = property.writtenColumns
      guard !written.isEmpty else { continue }
      parameters[property.index] = Int32(columns.count + 1)
      columns += written
      properties.insert(property.index)
      if case .attribute(_, _, isExternal: true) = property.storage { hasExternal = true }
    }
    keyParameter = Int32(columns.count + 1)
    let assignments = columns.map { "\(dialect.quoted($0)) = ?" }.joined(separator: ", ")
    sql = """
      UPDATE \(dialect.quoted(layout.table)) SET \(assignments) \
      WHERE \(dialect.quoted(LayoutNames.primaryKey)) = ?
      """
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
