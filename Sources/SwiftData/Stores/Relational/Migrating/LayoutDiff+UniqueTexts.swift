import Relational

// Texts in columns that are part of unique values now, and were not before.

extension TableDefinition {
  /// The columns whose texts are to be normalized.
  ///
  /// - Parameter previous: The previous column of one; nil when it is new. Its default value is normalized.
  func newlyNormalized(_ previous: (Column) -> Column?) -> [String] {
    columns.filter { column in
      column.isNormalized == true && previous(column).map { $0.isNormalized != true } ?? false
    }.map(\.name)
  }
}

extension LayoutChange {
  /// Whether rows may have duplicate values after the step.
  var dropsUniqueIndex: Bool {
    if case .dropIndex(let index) = self { index.isUnique } else { false }
  }
}
