import Relational

extension TableBuilder {
  /// The search indexes of a table: one for each text property with the option. Names are assigned later.
  func searches(of root: EntityLayout) -> [TableDefinition.Search]? {
    guard rules.hasSearches else { return nil }
    var columns: [String] = []
    for layout in root.family {
      for property in layout.properties {
        guard case .attribute(let coding, let names, _) = property.storage,
          layout.entity.attribute(named: property.name)?.options.contains(.spotlight) == true
        else { continue }
        // Subclasses inherit the properties of their base.
        columns += coding.textOffsets.map { names[$0] }.filter { !columns.contains($0) }
      }
    }
    return columns.isEmpty ? nil : columns.map { .init(name: "", column: $0, function: folding.name) }
  }

  /// Assigns unique names to the search indexes of tables.
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
  /// The offsets of an attribute's columns that have strings, and no encoded values.
  fileprivate var textOffsets: [Int] {
    switch self {
    case .primitive(let type): type == String.self ? [0] : []
    case .composite(_, let fields): fields.flatMap { field in field.coding.textOffsets.map { field.offset + $0 } }
    case .rawRepresentable, .json, .transformable: []
    }
  }
}
