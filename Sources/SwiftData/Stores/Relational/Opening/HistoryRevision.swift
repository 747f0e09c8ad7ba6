import Relational

/// What became of the properties of a store's models when it was given another schema, for whoever reads transactions of
/// before.
struct HistoryRevision: Codable, Hashable {
  /// The number of the last transaction of before.
  var last: Int64
  /// What is another thing since, by the names that entities and properties had before.
  var changes: [String: [String: Change]]

  struct Change: Codable, Hashable {
    /// What the property is called since; nil where it is gone.
    var name: String?
    /// The columns of an attribute as they were, and as they are since; empty for a relationship, and where the store did
    /// not say.
    var previous: [TableDefinition.Column] = []
    var present: [TableDefinition.Column] = []
  }
}
