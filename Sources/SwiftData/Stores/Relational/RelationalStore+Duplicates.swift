import Relational

// Merging of duplicates in a migration: models that violate uniqueness constraints of a later version.

extension RelationalStore {
  /// - Returns: Nil when the store or the later version lacks the entity.
  func uniqueness(of entity: String, in later: Schema) -> LaterUniqueness? {
    LaterUniqueness(of: entity, in: layout, later)
  }

  /// The models that have the values of an older one, in the committed state. Texts of the constraint are normalized first.
  func duplicates(
    _ uniqueness: LaterUniqueness, _ constraint: LaterUniqueness.Constraint
  ) throws -> [LaterUniqueness.Pair] {
    if let normalization = uniqueness.normalization(of: constraint) { try run(normalization) }
    return try read(isCancellable: true) { connection in
      try uniqueness.pairs(constraint, in: identifier, connection, database.dialect)
    }
  }

  private func run(_ normalization: TextNormalization) throws {
    do {
      try database.write { connection in
        try layoutGuard?.checkForWriting(connection)
        try normalization.run(connection, database.dialect, LayoutProgress())
      }
    } catch let error as DatabaseError {
      throw StoreErrors.writing(configuration, error)
    } catch let failure as TextNormalization.RepeatedTexts {
      throw StoreErrors.writing(configuration, failure.underlying)
    }
  }

  /// Describes the values that repeat; nil when none do.
  func repeatedValues(_ uniqueness: LaterUniqueness, _ constraint: LaterUniqueness.Constraint) throws -> String? {
    try read { try uniqueness.describeRepeatedValues(constraint, $0, database.dialect) }
  }
}
