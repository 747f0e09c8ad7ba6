import Relational

// Texts in columns of unique values are kept in the form that all equal ones have, as the database compares their bytes.

extension EntityLayout {
  /// The columns that unique values of any entity in the table are made of.
  var uniqueColumns: Set<String> {
    Set(
      root.family.flatMap { entity in
        entity.entity.allUniquenessConstraints.joined().compactMap { entity.column(path: $0) }
      })
  }
}

extension [TableDefinition.Column] {
  /// The columns, of which those with texts of unique values say so.
  func normalizingTexts(in unique: Set<String>) -> Self {
    map { column in
      guard column.type == .text, unique.contains(column.name) else { return column }
      var column = column
      column.isNormalized = true
      if case .text(let text)? = column.defaultValue { column.defaultValue = .text(CanonicalText.normalized(text)) }
      return column
    }
  }
}
