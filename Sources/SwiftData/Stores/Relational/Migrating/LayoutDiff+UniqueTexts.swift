import Relational

// Texts in columns that unique values are made of, and were not before.

extension TableDefinition {
  /// The columns whose texts may have any form and shall have the one that all equal ones have.
  ///
  /// - Parameter former: What a column was before; nil when it is new. Its default value has the form then.
  func newlyNormalized(_ previous: (Column) -> Column?) -> [String] {
    columns.filter { column in
      column.isNormalized == true && previous(column).map { $0.isNormalized != true } ?? false
    }.map(\.name)
  }
}

extension LayoutChange {
  /// Whether rows may have some values in common once the step is done.
  var dropsUniqueIndex: Bool {
    if case .dropIndex(let index) = self { index.isUnique } else { false }
  }
}
