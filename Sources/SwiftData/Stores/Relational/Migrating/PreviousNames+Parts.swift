import Relational

// What tables, their columns and what was kept of them are called, and were.

extension PreviousNames {
  /// Whether a column of all rows is one of some rows now, and a second one, of others, takes nothing from it.
  func isSplit(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, in table: TableDefinition
  ) -> Bool {
    guard old.owner == nil, new.owner != nil, old.part.originalName == new.part.originalName,
      let present = present(of: old.name), present != new.name
    else { return false }
    return table.columns.contains { $0.name == present && $0.owner != nil }
  }

  /// Whether a column of some rows is gone because what it had is a column of all rows now, which takes those of
  /// others.
  func isMerged(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, in table: TableDefinition
  ) -> Bool {
    guard old.owner != nil, new.owner == nil, old.part.originalName == new.part.originalName,
      present(of: old.name) == nil, let previous = previous(of: new.name)
    else { return false }
    return table.columns.contains { $0.name == previous && $0.owner != nil }
  }

  /// Another new name for what a column of the schema was; they cannot both be.
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

  /// Relationships as "kind.relationship".
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
