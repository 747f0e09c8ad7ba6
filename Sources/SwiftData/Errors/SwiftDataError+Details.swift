extension SwiftDataError {
  /// What is known about one occurrence of an error.
  ///
  /// An addition of OpenSwiftData.
  public struct Details: Sendable {
    /// The name of the entity that the error is about.
    public var entity: String?
    /// The name of the property that the error is about, with dots between the parts of a longer path.
    public var property: String?
    /// What happened, in a sentence.
    public var message: String?
    /// What to do about it, in a sentence.
    public var hint: String?
    /// The SQL statement that failed, without its arguments.
    public var sql: String?
    /// The error that caused this one: an error of the database, of a custom store, or of another function of the
    /// program.
    public var underlyingError: (any Error)?
    /// The models involved.
    public var persistentIdentifiers: [PersistentIdentifier]
    /// Every problem that was found, when an operation checks many rules and reports all violations together.
    public var issues: [Issue]
    /// The names of the configurations whose stores had saved their part of the changes before the save failed.
    public var savedStores: [String]

    /// What a save has found to be changed by others as well; see ``SwiftDataError/mergeConflict``.
    public var conflicts: [MergeConflict] = []

    /// Makes details from their parts.
    public init(
      entity: String? = nil, property: String? = nil, message: String? = nil, hint: String? = nil, sql: String? = nil,
      underlyingError: (any Error)? = nil, persistentIdentifiers: [PersistentIdentifier] = [], issues: [Issue] = [],
      savedStores: [String] = []
    ) {
      self.entity = entity
      self.property = property
      self.message = message
      self.hint = hint
      self.sql = sql
      self.underlyingError = underlyingError
      self.persistentIdentifiers = persistentIdentifiers
      self.issues = issues
      self.savedStores = savedStores
    }
  }

  /// A rule that a model or a schema breaks, as ``Details/issues`` lists it.
  public struct Issue: Sendable, Hashable, CustomStringConvertible {
    /// The model that breaks the rule; `nil` when the schema breaks it.
    public var persistentIdentifier: PersistentIdentifier?
    /// The name of the entity.
    public var entity: String?
    /// The name of the property.
    public var property: String?
    /// The rule, and how it is broken.
    public var message: String

    /// Makes an issue about a model, or about a schema when there is no identifier.
    public init(
      persistentIdentifier: PersistentIdentifier? = nil, entity: String? = nil, property: String? = nil,
      message: String
    ) {
      self.persistentIdentifier = persistentIdentifier
      self.entity = entity
      self.property = property
      self.message = message
    }

    /// `Entity.property: message`, followed by the identifier.
    public var description: String {
      let place = [entity, property].compactMap(\.self).joined(separator: ".")
      let identifier = persistentIdentifier.map { " [\($0)]" } ?? ""
      return (place.isEmpty ? "" : "\(place): ") + message + identifier
    }
  }
}
