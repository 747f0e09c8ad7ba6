/// Which rows the scenarios are about.
package enum Selection {
  /// A filter that a tenth of the items passes.
  package static let smallCount = 100
  /// How many of them are fetched, the cheapest first.
  package static let limit = 1_000
  /// A filter, together with the flag, for counting.
  package static let mediumCount = 500
  /// The items that are changed or deleted.
  package static let batch = 0..<10_000
  /// How many items are inserted and saved one by one.
  package static let singleInserts = 1_000
  /// How many items are changed in a transaction of their own, which are then fetched as history.
  package static let singleChanges = 1_000
  /// The items that are looked up by identifier, each once, all over the table.
  package static let lookups = (0..<10_000).map { $0 * 7_919 % Seeds.itemCount }
  /// What is searched for in names, without regard to case. One in a thousand has it.
  package static let pattern = "NUMBER 00421"
  /// The same in the names of the store that is searched, which have accents.
  package static let accentedPattern = "NUMERO 00421"
}
