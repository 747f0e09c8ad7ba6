extension SwiftDataError {
  /// The facts about one occurrence of an error.
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
    /// All violations that an operation has found, when it checks many rules.
    public internal(set) var issues: [Issue] = []
    /// The names of the configurations whose stores were saved before the save failed.
    public internal(set) var savedStores: [String] = []
    /// The conflicts of a save with changes of others; see ``SwiftDataError/mergeConflict``.
    public internal(set) var conflicts: [MergeConflict] = []
    /// Why the store failed; `nil` for errors other than ``SwiftDataError/storeFailure``.
    public internal(set) var storeFailureReason: StoreFailureReason?
    /// The name of the configuration of the store that failed; `nil` for errors other than
    /// ``SwiftDataError/storeFailure``.
    public internal(set) var store: String?
    /// Whether the statement exceeds the database's limits of size or depth.
    var isTooComplex = false
    /// The failure of a sum or a mean in a statement.
    var arithmeticFailure: ArithmeticFailure?
  }

  /// A rule that a model or a schema breaks, as ``Details/issues`` lists it.
  public struct Issue: Sendable, Hashable, CustomStringConvertible {
    /// The model that breaks the rule; `nil` when the schema breaks it.
    public internal(set) var persistentIdentifier: PersistentIdentifier?
    /// The name of the entity.
    public internal(set) var entity: String?
    /// The name of the property.
    public internal(set) var property: String?
    /// A description of the rule and its violation.
    public internal(set) var message: String

    /// `Entity.property: message`, followed by the identifier.
    public var description: String {
      let subject = [entity, property].compactMap(\.self).joined(separator: ".")
      let identifier = persistentIdentifier.map { " [\($0)]" } ?? ""
      return (subject.isEmpty ? "" : "\(subject): ") + message + identifier
    }
  }
}
