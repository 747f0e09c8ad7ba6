import Relational

/// The changes of properties in one migration, to read earlier transactions with the new schema.
struct HistoryRevision: Codable, Hashable {
  /// The number of the last transaction before the migration.
  var last: Int64
  /// The changes, by the names of entities and properties before the migration.
  var changes: [String: [String: Change]]

  struct Change: Codable, Hashable {
    /// The new name of the property; nil where it was removed.
    var name: String?
    /// The columns of an attribute before and after the migration; empty for a relationship, and where the store did not
    /// record them.
    var previous: [TableDefinition.Column] = []
    var present: [TableDefinition.Column] = []

    // The keys are in the metadata of stores.
    private enum CodingKeys: String, CodingKey {
      case name, present
      case previous = "former"
    }
  }
}
