import Relational

/// Maps recorded properties to present ones, through all migrations since.
struct RecordedProperties {
  /// The revisions, the oldest first.
  private let revisions: [HistoryRevision]

  init(_ revisions: [HistoryRevision]) {
    self.revisions = revisions
  }

  /// The present name of a property, which may be removed; nil if another property has the name now.
  ///
  /// - Parameter number: The number of the transaction.
  func name(of property: String, in entity: String, _ number: Int64) -> String? {
    var (name, isGone) = (property, false)
    for revision in revisions where revision.last >= number {
      let changes = revision.changes[entity] ?? [:]
      if let change = changes[name] {
        isGone = change.name == nil
        name = change.name ?? name
      }
      if isGone, Self.isGiven(name, changes) { return nil }
    }
    return name
  }

  /// Converts a part of a tombstone to the present or last name and types of its attribute, and returns it with the columns of
  /// these; without columns if the types have never changed.
  ///
  /// - Parameter number: The number of the transaction.
  /// - Returns: Nil if no attribute can have the values any more.
  func present(
    _ recorded: Tombstone.Part, in entity: String, _ number: Int64
  ) -> (part: Tombstone.Part, columns: [TableDefinition.Column])? {
    var part = recorded
    var columns: [TableDefinition.Column] = []
    var isGone = false
    for revision in revisions where revision.last >= number {
      let changes = revision.changes[entity] ?? [:]
      if let change = changes[part.property] {
        // An attribute that was added again may be another one with the same name.
        if !columns.isEmpty, !change.previous.isEmpty, !columns.haveTheSame(as: change.previous) { return nil }
        isGone = change.name == nil
        columns = isGone ? change.previous : change.present
        if let name = change.name {
          guard let values = change.converted(part.values) else { return nil }
          part = Tombstone.Part(property: name, values: values)
        }
      }
      if isGone, Self.isGiven(part.property, changes) { return nil }
    }
    return (part, columns)
  }

  /// Whether another property is renamed to a name.
  private static func isGiven(_ name: String, _ changes: [String: HistoryRevision.Change]) -> Bool {
    changes.contains { $0.key != name && $0.value.name == name }
  }
}
