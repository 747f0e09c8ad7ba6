import Relational

extension LayoutDiff {
  /// Compares the search indexes of a table.
  ///
  /// An index is dropped before its table changes, and made afterwards: its triggers name the table and its columns.
  ///
  /// - Parameter isRebuilt: Whether the table is rebuilt, and loses its triggers.
  mutating func compareSearches(
    _ old: TableDefinition, _ new: TableDefinition, _ names: PreviousNames, isRebuilt: Bool
  ) {
    let kept = (old.searches ?? []).filter { search in
      old.name == new.name && names.present(of: search.column) == search.column
        && new.searches?.contains(search) == true
    }
    let made = (new.searches ?? []).filter { !kept.contains($0) }
    // An earlier release without search indexes may have left one that the layout of the store does not list.
    let gone = (old.searches ?? []).filter { search in
      !kept.contains(search) && !made.contains { $0.name == search.name }
    }
    searchesToDrop += (gone + made).map { .dropSearch($0) }
    searchesToCreate += made.map { .createSearch($0, on: new) }
    if isRebuilt { searchesToCreate += kept.map { .keepSearch($0, of: new) } }
  }

  /// Never drops a table of the store that only has the name of an index, as in a damaged store.
  mutating func keepTables(_ old: [TableDefinition]) {
    let names = Set(old.map { $0.name.lowercased() })
    searchesToDrop.removeAll { step in
      if case .dropSearch(let search) = step { names.contains(search.name.lowercased()) } else { false }
    }
  }
}

extension LayoutChange {
  /// Whether the step is about a search index, without which the models are found as well.
  var isAboutSearches: Bool {
    switch self {
    case .createSearch, .keepSearch, .dropSearch: true
    default: false
    }
  }

  var dropsSearch: Bool {
    if case .dropSearch = self { true } else { false }
  }

  /// The statements of a step about a search index.
  func searchStatements(_ dialect: any SearchDialect) -> [String] {
    switch self {
    case .createSearch(let search, let table): dialect.create(search, on: table)
    case .keepSearch(let search, let table): dialect.definition(of: search, on: table).triggers.map(\.sql)
    case .dropSearch(let search): dialect.drop(search)
    default: []
    }
  }
}
