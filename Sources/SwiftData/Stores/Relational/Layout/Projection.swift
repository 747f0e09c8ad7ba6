import Relational

/// The columns that a fetch of an entity selects, and where each property of each entity of the family finds its own.
final class Projection {
  /// The key, the type column when there is one, then the properties' columns.
  let columns: [SQLExpression]
  let typeColumn: Int32?
  /// By the entity, a column for each property of it. They are written in `init` and given back in `deinit`.
  private let maps: [Int: UnsafeMutablePointer<Int32>]
  private let layouts: [Int: EntityLayout]
  private let ordinalsByType: [String: Int]
  /// Most rows are of the entity that was asked for.
  private let base: EntityLayout
  private let baseMap: UnsafePointer<Int32>
  /// Whether properties are left out that a row has.
  let isPartial: Bool

  static let alias = "t0"

  /// - Parameter selection: The properties to select; all when nil.
  init(_ layout: EntityLayout, including selection: PropertySelection? = nil) {
    base = layout
    isPartial = selection != nil
    var columns: [SQLExpression] = [.column(table: Self.alias, name: LayoutNames.primaryKey)]
    if let type = layout.typeColumn {
      typeColumn = Int32(columns.count)
      columns.append(.column(table: Self.alias, name: type))
    } else {
      typeColumn = nil
    }
    var positions: [String: Int32] = [:]
    var maps: [Int: UnsafeMutablePointer<Int32>] = [:]
    for member in layout.family {
      let map = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, member.properties.count))
      for (index, property) in member.properties.enumerated() {
        map[index] = -1
        if let selection, !selection.includes(member.runtime.properties[index]) { continue }
        guard let selected = property.selection else { continue }
        let key = "\(selected.first)"
        if let known = positions[key] {
          map[index] = known
          continue
        }
        map[index] = Int32(columns.count)
        positions[key] = map[index]
        columns += selected.expressions
      }
      maps[member.ordinal] = map
    }
    // `StoreLayout` has made the family of all kinds of the entity, itself among them.
    guard let baseMap = maps[layout.ordinal] else { preconditionFailure("An entity is one of its family") }
    self.baseMap = UnsafePointer(baseMap)
    self.columns = columns
    self.maps = maps
    layouts = Dictionary(uniqueKeysWithValues: layout.family.map { ($0.ordinal, $0) })
    ordinalsByType = Dictionary(uniqueKeysWithValues: layout.family.map { ($0.entity.name, $0.ordinal) })
  }

  deinit {
    for map in maps.values { map.deallocate() }
  }

  /// The row that a statement stands at: its key is one that rows have, and its entity one of the projection's.
  @inline(__always)
  func row(_ key: Int64, _ statement: Statement) throws -> RowKey {
    guard RowIdentity.isNumber(key) else { throw base.foreignKey(key) }
    return RowKey(key: key, entity: typeColumn == nil ? base.ordinal : try ordinal(statement, key))
  }

  private func ordinal(_ statement: Statement, _ key: Int64) throws -> Int {
    guard let typeColumn else { return base.ordinal }
    let type = statement.text(typeColumn)
    guard let ordinal = ordinalsByType[type] else { throw base.foreignType(type, key) }
    return ordinal
  }

  // The two below are asked for entities that `row` told, or for the one that the projection is of.

  func map(_ ordinal: Int) -> UnsafePointer<Int32> {
    if ordinal == base.ordinal { return baseMap }
    guard let map = maps[ordinal] else { preconditionFailure("The projection has no entity \(ordinal)") }
    return UnsafePointer(map)
  }

  func layout(_ ordinal: Int) -> EntityLayout {
    if ordinal == base.ordinal { return base }
    guard let layout = layouts[ordinal] else { preconditionFailure("The projection has no entity \(ordinal)") }
    return layout
  }
}

extension PropertyLayout {
  /// What a fetch selects for the property, in order; nil for what is not read with the row.
  var selection: (first: String, expressions: [SQLExpression])? {
    func own(_ name: String) -> SQLExpression { .column(table: Projection.alias, name: name) }
    switch storage {
    case .attribute(_, let columns, _):
      return columns.first.map { ($0, columns.map(own)) }
    case .reference(let column, _):
      return (column, [own(column)])
    case .inverseReference(let table, let column):
      var select = Select(
        columns: [.column(table: "i", name: LayoutNames.primaryKey)], from: .init(table: table, alias: "i"),
        condition: .binary(.equal, .column(table: "i", name: column), own(LayoutNames.primaryKey)))
      select.limit = 1
      return ("\(table).\(column)", [.scalar(select)])
    case .ephemeral, .referencedMembers, .joinedMembers:
      return nil
    }
  }
}
