import Relational

extension TableBuilder {
  /// Adds indexes of sort keys for the text properties of an index, whose own columns are ordered by bytes.
  func addTextIndexes(of layout: EntityLayout, to indexes: inout [TableDefinition.Index]) {
    for paths in layout.entity.indices {
      let columns = paths.compactMap { layout.column(path: $0) }
      guard columns.count == paths.count else { continue }
      let name = "\(layout.table)_\(columns.joined(separator: "_"))_sorted"
      let areTexts = paths.map(layout.hasTexts)
      for first in areTexts.indices where areTexts[first] {
        var index = TableDefinition.Index(name: name, columns: columns, isUnique: false)
        // The columns before the first text have their values, so that a predicate can fix them.
        index.functions = areTexts.enumerated().map { position, isText in
          isText && position >= first ? rules.sorting.localizedStandard.name : nil
        }
        if !indexes.contains(index) { indexes.append(index) }
      }
    }
  }
}

extension EntityLayout {
  /// Whether a property, or a field of a composite given as a path with dots, has texts that a descriptor can sort by.
  fileprivate func hasTexts(path: String) -> Bool {
    let names = path.split(separator: ".").map(String.init)
    guard let first = names.first, case .attribute(let coding, _, _)? = property(named: first)?.storage else {
      return false
    }
    return coding.hasTexts(path: names.dropFirst())
  }
}

extension ColumnCoding {
  fileprivate func hasTexts(path: some Collection<String>) -> Bool {
    switch self {
    case .primitive(let type), .rawRepresentable(let type): path.isEmpty && type == String.self
    case .composite(_, let fields):
      fields.first { $0.name == path.first }?.coding.hasTexts(path: path.dropFirst()) ?? false
    case .json, .transformable: false
    }
  }
}
