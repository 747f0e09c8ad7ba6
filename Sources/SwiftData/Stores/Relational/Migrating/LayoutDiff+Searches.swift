import Relational

extension LayoutDiff {
  /// Finds what becomes of the indexes for searches of a table.
  ///
  /// An index is dropped before anything of the table changes, and made once all has: it has the names of table and
  /// column in its triggers.
  ///
  /// - Parameter isRebuilt: Whether the table is made anew, and loses its triggers.
  mutating func compareSearches(
    _ old: TableDefinition, _ new: TableDefinition, _ names: PreviousNames, isRebuilt: Bool
  ) {
    let kept = (old.searches ?? []).filter { search in
      old.name == new.name && names.present(of: search.column) == search.column
        && new.searches?.contains(search) == true
    }
    let made = (new.searches ?? []).filter { !kept.contains($0) }
    // A release that knew no indexes may have left one that the store does not tell of.
    let gone = (old.searches ?? []).filter { search in
      !kept.contains(search) && !made.contains { $0.name == search.name }
    }
    searchesToDrop += (gone + made).map { .dropSearch($0) }
    searchesToCreate += made.map { .createSearch($0, on: new) }
    if isRebuilt { searchesToCreate += kept.map { .keepSearch($0, of: new) } }
  }

  /// Leaves tables alone that only have the name of an index, whatever a damaged store says.
  mutating func keepTables(_ old: [TableDefinition]) {
    let names = Set(old.map { $0.name.lowercased() })
    searchesToDrop.removeAll { step in
      if case .dropSearch(let search) = step { names.contains(search.name.lowercased()) } else { false }
    }
  }
}

extension LayoutChange {
  /// Whether the step is about an index for searches: the models are what they were, and are found without it.
  var isAboutSearches: Bool {
    switch self {
    case .createSearch, .keepSearch, .dropSearch: true
    default: false
    }
  }

  var dropsSearch: Bool {
    if case .dropSearch = self { true } else { false }
  }

  /// The statements of such a step.
  func searchStatements(_ dialect: any SearchDialect) -> [String] {
    switch self {
    case .createSearch(let search, let table): dialect.create(search, on: table)
    case .keepSearch(let search, let table): dialect.definition(of: search, on: table).triggers.map(\.sql)
    case .dropSearch(let search): dialect.drop(search)
    default: []
    }
  }
}
