import Relational

// The changes of a column that stays.

extension LayoutDiff {
  /// Whether a to-one without a foreign key refers to rows of another table than before.
  private func pointsElsewhere(_ old: TableDefinition.Column, _ new: TableDefinition.Column) -> Bool {
    guard let old = old.property, let new = new.property, new.part == TableDefinition.Column.Property.target,
      let oldTable = oldAssignment[old.type], let newTable = newAssignment[new.type]
    else { return false }
    return oldTable != newTable
  }

  func compareFiles(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, _ table: String
  ) -> LayoutChange? {
    guard let namesFiles = new.namesFiles, old.namesFiles != namesFiles else { return nil }
    return namesFiles
      ? .recordFiles(table: table, column: new.name)
      : .adoptFiles(table: table, new, isKnown: old.namesFiles != nil)
  }

  /// The change of a column that stays.
  struct ColumnChange {
    /// Whether it needs a new table.
    var needsRebuilding = false
    var conversion: ValueConversion?
    var requiredValues: RequiredValues?
  }

  mutating func check(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, _ oldTable: TableDefinition,
    _ newTable: TableDefinition
  ) -> ColumnChange {
    var change = ColumnChange()
    var differences: [String] = []
    if !old.means(new) {
      change.conversion = ValueConversion(from: old.meaning, to: new.meaning)
      if change.conversion == nil {
        differences.append("its type changed from \(old.described) to \(new.described)")
      }
    }
    if let owner = old.owner, let newOwner = new.owner, owner != newOwner {
      differences.append("it has the values of \(owner), and the schema wants those of \(newOwner) there")
    }
    if old.mayBeNil(asThatOf: new.owner), new.isRequired ?? !new.isNullable {
      change.requiredValues = requiredValues(old, new, oldTable, newTable)
    }
    change.needsRebuilding =
      old.isNullable != new.isNullable || change.conversion != nil && old.type != new.type
    if old.references?.table != new.references?.table || pointsElsewhere(old, new) {
      differences.append("its target or its delete rule changed")
    }
    if differences.isEmpty { return change }
    if rows.lackRows(of: old, in: oldTable), rows.lackRows(of: new, in: oldTable) {
      return ColumnChange(needsRebuilding: true)
    }
    issues.append(
      .init(
        entity: new.owner ?? newTable.name, property: new.sourceName,
        message: """
          \(differences.joined(separator: ", and ")). Keep it as it was, and give the new one another name, for a stage of a \
          migration plan to fill: \(Remedy.mapping(new.owner ?? newTable.name)).
          """))
    return change
  }

  private func requiredValues(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, _ oldTable: TableDefinition,
    _ newTable: TableDefinition
  ) -> RequiredValues? {
    // A table of one entity has no rows of an inheriting one.
    if new.owner != nil, !oldTable.namesKinds { return nil }
    var columns = [new]
    // A structure that was optional itself has no value in any of its columns where it was nil.
    if let property = new.property, !property.part.isEmpty, property.type.contains("("),
      old.property?.type == property.type
    {
      columns = newTable.columns.filter { $0.property?.name == property.name && $0.owner == new.owner }
    }
    return RequiredValues(
      table: newTable.name, column: new, columns: columns, source: .init(table: oldTable.name, column: old.name))
  }

  /// Adds the steps that prepare the conversion of a column, and returns the one that converts the values.
  ///
  /// - Parameter names: The names of the table's columns.
  mutating func convert(
    _ old: TableDefinition.Column, _ new: TableDefinition.Column, _ conversion: ValueConversion,
    _ oldTable: TableDefinition, _ newTable: TableDefinition, _ names: inout ColumnNames
  ) -> LayoutChange {
    var previous = new.name
    if old.type != new.type {
      // A database would convert what is written to a column of another type.
      previous = names.claim("\(new.name)_former")
      steps.append(.renameColumn(table: newTable.name, from: new.name, to: previous))
      var added = new
      added.isNullable = true
      added.defaultValue = nil
      steps.append(.addColumn(table: newTable.name, added))
    }
    return .convert(
      ConvertedValues(
        table: newTable.name, column: new, previous: previous, conversion: conversion,
        source: .init(table: oldTable.name, column: old.name),
        types: .init(previous: old.described, present: new.described)))
  }
}

extension TableDefinition.Column {
  /// Whether rows of an entity may have no value in the column.
  fileprivate func mayBeNil(asThatOf newOwner: String?) -> Bool {
    isNullable && (isRequired == false || owner == nil || owner != newOwner)
  }

  fileprivate var described: String {
    property?.type ?? (meaning.isEmpty ? type.rawValue : meaning)
  }
}
