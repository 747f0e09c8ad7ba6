import Relational

extension TableBuilder {
  /// The indexes for searches of a table: one for each text that asks for it. Names are given later.
  func searches(of root: EntityLayout) -> [TableDefinition.Search]? {
    var columns: [String] = []
    for layout in root.family {
      for property in layout.properties {
        guard case .attribute(let coding, let names, _) = property.storage,
          layout.entity.attribute(named: property.name)?.options.contains(.spotlight) == true
        else { continue }
        // Subclasses have the properties of their base as well.
        columns += coding.textOffsets.map { names[$0] }.filter { !columns.contains($0) }
      }
    }
    return columns.isEmpty ? nil : columns.map { .init(name: "", column: $0, function: folding.name) }
  }

  /// Tables whose indexes for searches have names that nothing else has.
  static func namingSearches(_ tables: [TableDefinition], _ names: inout ColumnNames) -> [TableDefinition] {
    tables.map { table in
      var table = table
      table.searches = table.searches?.map { search in
        var search = search
        search.name = names.claim("\(LayoutNames.search)_\(table.name)_\(search.column)", LayoutNames.searchParts)
        return search
      }
      return table
    }
  }
}

extension ColumnCoding {
  /// The places, among an attribute's columns, of those that have texts: strings, and not what something else is encoded
  /// as.
  fileprivate var textOffsets: [Int] {
    switch self {
    case .primitive(let type): type == String.self ? [0] : []
    case .composite(_, let fields): fields.flatMap { field in field.coding.textOffsets.map { field.offset + $0 } }
    case .rawRepresentable, .json, .transformable: []
    }
  }
}
