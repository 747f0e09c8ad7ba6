import Relational

/// The columns that a fetch of an entity selects, with the first column of each property of each entity of the family.
final class Projection {
  /// The key, the type column if there is one, then the columns of the properties.
  let columns: [SQLExpression]
  let typeColumn: Int32?
  /// The first columns of the properties, by entity. Allocated in `init` and deallocated in `deinit`.
  private let maps: [Int: UnsafeMutablePointer<Int32>]
  private let layouts: [Int: EntityLayout]
  private let ordinalsByType: [String: Int]
  /// The fetched entity, to which most rows belong.
  private let base: EntityLayout
  private let baseMap: UnsafePointer<Int32>
  /// Whether properties of the rows are left out.
  let isPartial: Bool

  static let alias = "t0"

  /// - Parameter selection: The properties to select; nil for all.
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
    // `StoreLayout` sets the family of each entity, which includes the entity itself.
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

  /// The key and entity of the current row of a statement, if they are valid.
  @inline(__always)
  func row(_ key: Int64, _ statement: Statement) throws -> RowKey {
    guard RowIdentity.isValid(key) else { throw base.invalidKey(key) }
    return RowKey(key: key, entity: typeColumn == nil ? base.ordinal : try ordinal(statement, key))
  }

  private func ordinal(_ statement: Statement, _ key: Int64) throws -> Int {
    guard let typeColumn else { return base.ordinal }
    let type = statement.text(typeColumn)
    guard let ordinal = ordinalsByType[type] else { throw base.unknownType(type, key) }
    return ordinal
  }

  // The arguments below come from `row`, or are the projection's own entity.

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
  /// The columns that a fetch selects for the property, in order; nil if it is not read with the row.
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
