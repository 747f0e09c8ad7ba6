import Relational

// Texts in unique columns are normalized, as the database compares their bytes.

extension EntityLayout {
  /// The columns in unique values of any entity in the table.
  var uniqueColumns: Set<String> {
    Set(
      root.family.flatMap { entity in
        entity.entity.allUniquenessConstraints.joined().compactMap { entity.column(path: $0) }
      })
  }
}

extension StoreLayout {
  /// Whether a key path refers to a column whose texts are not normalized.
  func keepsForms(ofTextsAt keyPath: AnyKeyPath, in entity: EntityLayout) -> Bool {
    guard let path = Self.columnPath(keyPath, entity.runtime) else { return false }
    var entity = entity
    for property in path.properties.dropLast() {
      guard entity.properties.indices.contains(property.index),
        let next = entity.properties[property.index].destination.flatMap(layout(named:))
      else { return false }
      entity = next
    }
    let names = path.properties.suffix(1).map(\.name) + path.fields
    return entity.column(path: names.joined(separator: ".")).map { !entity.uniqueColumns.contains($0) } ?? false
  }

  /// The path to a column: a stored value, or a property that equals the raw value of an enumeration.
  private static func columnPath(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> KeyPathResolution.Path? {
    if let path = KeyPathResolution.path(keyPath, runtime) { return path }
    guard let (path, cases) = KeyPathResolution.casePath(keyPath, runtime) else { return nil }
    return cases.allSatisfy { CaseValues.isRawValue($0.value, of: $0.raw) } ? path : nil
  }
}

extension [TableDefinition.Column] {
  /// The columns, with unique texts marked as normalized.
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
