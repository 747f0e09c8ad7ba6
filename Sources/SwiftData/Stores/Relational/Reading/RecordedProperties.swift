import Relational

/// Finds what the properties that transactions name are by now, through all schemas that the store had since.
struct RecordedProperties {
  /// In the order in which the store was given the schemas.
  private let revisions: [HistoryRevision]

  init(_ revisions: [HistoryRevision]) {
    self.revisions = revisions
  }

  /// The name of a property, which may be gone; nil where another one has its name.
  ///
  /// - Parameter number: That of the transaction.
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

  /// A part of a tombstone by the name and the types that its attribute has now, or had last, with the columns of that
  /// time; none where the types have been the same ever since.
  ///
  /// - Parameter number: That of the transaction.
  /// - Returns: Nil where no attribute has the values any more.
  func present(
    _ recorded: Tombstone.Part, in entity: String, _ number: Int64
  ) -> (part: Tombstone.Part, columns: [TableDefinition.Column])? {
    var part = recorded
    var columns: [TableDefinition.Column] = []
    var isGone = false
    for revision in revisions where revision.last >= number {
      let changes = revision.changes[entity] ?? [:]
      if let change = changes[part.property] {
        // An attribute that came back may be another one, of the same name.
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

  /// Whether a property gets a name that it had not.
  private static func isGiven(_ name: String, _ changes: [String: HistoryRevision.Change]) -> Bool {
    changes.contains { $0.key != name && $0.value.name == name }
  }
}
