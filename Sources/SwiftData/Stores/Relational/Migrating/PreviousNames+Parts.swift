import Relational

// The present and original names of tables, columns and archived values.

extension PreviousNames {
  /// Whether a column of all rows belongs to one class now, and this new column of another class has the same origin.
  func isSplit(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, in table: TableDefinition
  ) -> Bool {
    guard old.owner == nil, new.owner != nil, old.part.originalName == new.part.originalName,
      let present = present(of: old.name), present != new.name
    else { return false }
    return table.columns.contains { $0.name == present && $0.owner != nil }
  }

  /// Whether a column of one class is gone because another class's column became the column of all rows.
  func isMerged(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, in table: TableDefinition
  ) -> Bool {
    guard old.owner != nil, new.owner == nil, old.part.originalName == new.part.originalName,
      present(of: old.name) == nil, let previous = previous(of: new.name)
    else { return false }
    return table.columns.contains { $0.name == previous && $0.owner != nil }
  }

  /// Another renamed column of the schema with the same original name, which has got its values; nil when there is none.
  func rival(of column: TableDefinition.Column, in table: TableDefinition) -> String? {
    guard column.part.isRenamed else { return nil }
    return table.columns.first { other in
      other.name != column.name && other.originalName == column.originalName
        && previous(of: other.name).map { $0 != other.name } == true
        && (column.owner == nil || other.owner == nil || column.owner == other.owner)
    }?.sourceName
  }
}

extension ArchivedValues {
  var part: PreviousNames.Part {
    PreviousNames.Part(name: source, originalName: originalName ?? source, otherName: otherName)
  }
}

extension TableDefinition {
  var part: PreviousNames.Part {
    PreviousNames.Part(name: name, originalName: originalName ?? name, otherName: otherName)
  }

  /// The relationships as "kind.relationship".
  var relationshipParts: [PreviousNames.Part] {
    (relationships ?? [:]).keys.sorted()
      .map { PreviousNames.Part(name: $0, originalName: relationshipOrigins?[$0] ?? $0) }
  }
}

extension TableDefinition.Column {
  var part: PreviousNames.Part {
    var part = PreviousNames.Part(name: name, originalName: originalName.isEmpty ? name : originalName)
    part.property = property.map { property in
      let suffix = property.part.isEmpty ? "" : ".\(property.part)"
      return .init(path: property.name + suffix, originalPath: property.originalName + suffix, owner: owner)
    }
    return part
  }
}
