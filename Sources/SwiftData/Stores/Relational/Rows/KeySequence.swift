import Relational

/// The last number that was assigned for a table, and the source of the next one.
///
/// `@unchecked Sendable`, and not checked for exclusivity, because only the owner of the writing connection uses it.
final class KeySequence: @unchecked Sendable {
  private let table: String
  @exclusivity(unchecked) private(set) var last: Int64
  /// Numbers that the database has assigned, the next one last.
  @exclusivity(unchecked) private var assigned: [Int64] = []
  /// Asks the database for new numbers, and returns them in ascending order; nil where they follow the last one.
  @exclusivity(unchecked) var assign: (() throws -> [Int64])?
  /// Whether more than one transaction has used the sequence, and no other connection has written between them.
  @exclusivity(unchecked) var isReused = false

  init(of table: String, last: Int64) {
    self.table = table
    self.last = last
  }

  /// How many numbers the database has assigned that no row has.
  var spareCount: Int { assigned.count }

  /// - Throws: ``SwiftDataError/modelValidationFailure`` if there are no numbers left, as in a damaged store; the database's
  ///   error if it assigns none.
  func next() throws -> Int64 {
    guard last < RowIdentity.lastNumber else {
      throw SwiftDataError.modelValidationFailure.with(
        message: "Table \(table) has no keys left for new rows: its last one is \(last).",
        hint: """
          Keys are smaller than 2^62. Another program wrote one that is too large, to the table or to \
          \(LayoutNames.sequences), or the store is damaged.
          """)
    }
    guard let assign else {
      last += 1
      return last
    }
    if assigned.isEmpty { assigned = try assign().reversed() }
    guard let key = assigned.popLast() else {
      throw DatabaseError(reason: .other, message: "the database has assigned no key for a row of \(table)")
    }
    last = key
    return key
  }

  func skip(to key: Int64) {
    last = max(last, key)
  }
}
