/// The rows that the scenarios select.
package enum Selection {
  /// The limit of a filter that a tenth of the items passes.
  package static let smallCount = 100
  /// The number of fetched items, the cheapest first.
  package static let limit = 1_000
  /// The limit of the filter for counting, which is combined with the flag.
  package static let mediumCount = 500
  /// The items to change or delete.
  package static let batch = 0..<10_000
  /// The number of items that are inserted and saved one by one.
  package static let singleInserts = 1_000
  /// The number of items that are changed in separate transactions, which are then fetched as history.
  package static let singleChanges = 1_000
  /// The items that are looked up by identifier, each once, spread over the table.
  package static let lookups = (0..<10_000).map { $0 * 7_919 % Seeds.itemCount }
  /// The text to search for in names, ignoring case. One name in a thousand has it.
  package static let pattern = "NUMBER 00421"
  /// The text to search for in the store with accents.
  package static let accentedPattern = "NUMERO 00421"
}
