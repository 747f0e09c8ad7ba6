import Relational

// What a stage of a migration asks of a store to merge models that a later version takes for one and the same.

extension RelationalStore {
  /// - Returns: Nil when the store or the later version lacks the entity.
  func uniqueness(of entity: String, in later: Schema) -> LaterUniqueness? {
    LaterUniqueness(of: entity, in: layout, later)
  }

  /// The models that have the values of an older one, as is committed now. Texts of the constraint are given one form.
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

  /// The values that repeat, in words; nil when none do.
  func repeatedValues(_ uniqueness: LaterUniqueness, _ constraint: LaterUniqueness.Constraint) throws -> String? {
    try read { try uniqueness.describeRepeatedValues(constraint, $0, database.dialect) }
  }
}
