extension SwiftDataError {
  /// What is known about one occurrence of an error.
  ///
  /// An addition of OpenSwiftData.
  public struct Details: Sendable {
    /// The name of the entity that the error is about.
    public internal(set) var entity: String?
    /// The name of the property that the error is about, with dots between the parts of a longer path.
    public internal(set) var property: String?
    /// What happened, in a sentence.
    public internal(set) var message: String?
    /// What to do about it, in a sentence.
    public internal(set) var hint: String?
    /// The SQL statement that failed, without its arguments.
    public internal(set) var sql: String?
    /// The error that caused this one: an error of the database, of a custom store, or of another function of the
    /// program.
    public internal(set) var underlyingError: (any Error)?
    /// The models involved.
    public internal(set) var persistentIdentifiers: [PersistentIdentifier] = []
    /// Every problem that was found, when an operation checks many rules and reports all violations together.
    public internal(set) var issues: [Issue] = []
    /// The names of the configurations whose stores had saved their part of the changes before the save failed.
    public internal(set) var savedStores: [String] = []
    /// What a save has found to be changed by others as well; see ``SwiftDataError/mergeConflict``.
    public internal(set) var conflicts: [MergeConflict] = []
    /// Why the store failed; `nil` for errors other than ``SwiftDataError/storeFailure``.
    public internal(set) var failureReason: FailureReason?
    /// The name of the configuration of the store that failed; `nil` for errors other than
    /// ``SwiftDataError/storeFailure``.
    public internal(set) var store: String?
    /// Whether the statement is larger or deeper than the database takes.
    var isTooComplex = false
  }

  /// A rule that a model or a schema breaks, as ``Details/issues`` lists it.
  public struct Issue: Sendable, Hashable, CustomStringConvertible {
    /// The model that breaks the rule; `nil` when the schema breaks it.
    public internal(set) var persistentIdentifier: PersistentIdentifier?
    /// The name of the entity.
    public internal(set) var entity: String?
    /// The name of the property.
    public internal(set) var property: String?
    /// The rule, and how it is broken.
    public internal(set) var message: String

    /// `Entity.property: message`, followed by the identifier.
    public var description: String {
      let place = [entity, property].compactMap(\.self).joined(separator: ".")
      let identifier = persistentIdentifier.map { " [\($0)]" } ?? ""
      return (place.isEmpty ? "" : "\(place): ") + message + identifier
    }
  }
}
