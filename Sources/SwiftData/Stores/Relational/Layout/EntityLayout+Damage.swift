import Relational

/// Errors for rows that only another program can have written.
extension EntityLayout {
  /// The error of a key out of range.
  func invalidKey(_ key: Int64) -> SwiftDataError {
    SwiftDataError.modelValidationFailure.with(
      entity: entity.name, message: "A row of table \(table) has the key \(key), which no model can have.",
      hint: "Keys are positive and smaller than 2^62. Another program wrote the row, or the store is damaged.")
  }

  /// The error of a type column with the name of an entity that the table has no rows of.
  func unknownType(_ type: String, _ key: Int64) -> SwiftDataError {
    SwiftDataError.modelValidationFailure.with(
      entity: entity.name, message: "Row \(key) of table \(table) is of a type that the schema lacks.",
      hint:
        "The column \(typeColumn ?? "") says \"\(type.prefix(100))\". Another program wrote it, or the store is damaged."
    )
  }
}
