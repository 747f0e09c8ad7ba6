import Foundation

/// A schema and the stores that hold its models.
///
/// Make one for each set of stores and keep it; it can be used from any thread. A container opens its stores when it is
/// made, and creates or extends their tables where the schema has grown: a new entity, a new property that is optional
/// or has a default value, a removed property, a new index. Any other difference throws and leaves the file as it is.
public class ModelContainer: Equatable, @unchecked Sendable {
  // The conformance is unchecked because the class is not final. What it has is constant, or the main actor's.

  /// The models that the container knows, related ones among them.
  public final let schema: Schema
  /// The plan that brings older stores up to date, as it was given. This release takes up by itself what can be taken up
  /// without code, and refuses an older store when the plan has stages with code.
  public final let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The configurations of the container's SQLite stores; those of custom stores are not among them. Stores are opened
  /// once: setting this later opens and closes none.
  public var configurations: Set<ModelConfiguration> {
    get { core.configurations.withLock { $0 } }
    set { core.configurations.withLock { $0 = newValue } }
  }

  // Stores, and the list of contexts, live in an object of their own: the main context needs them, and a container holds
  // its main context, so that the two would keep each other alive otherwise.
  let core: ContainerCore
  @MainActor private var heldMainContext: ModelContext?

  /// Opens the stores for a schema.
  ///
  /// - Parameters:
  ///   - givenSchema: The models.
  ///   - migrationPlan: How to bring older stores up to date; see ``migrationPlan`` for what is done with it.
  ///   - configurations: The stores; the default one when empty. Each holds the models of its own schema, and one at
  ///     most has none of its own and holds the rest.
  /// - Throws: ``SwiftDataError`` when the schema is not sound, with every finding in its details, or when a store
  ///   cannot be opened. No store is changed then, but for custom ones, and for what happens to files meanwhile; where
  ///   there was none, an empty file may be left.
  public init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    schema = givenSchema
    self.migrationPlan = migrationPlan
    core = try ContainerCore(schema: givenSchema, configurations: configurations, migrationPlan: migrationPlan)
  }

  /// Opens the stores for a schema.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores for some models and those they relate to.
  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens stores of any kind for a schema.
  ///
  /// - Parameters:
  ///   - givenSchema: The models.
  ///   - configurations: The stores; the default one when empty. ``ModelConfiguration`` is one of SQLite; others are of
  ///     a ``DataStore`` of your own. Each holds the models of its own schema, and one at most has none of its own and
  ///     holds the rest.
  /// - Throws: What ``init(for:migrationPlan:configurations:)-([ModelConfiguration])`` throws; the error of a custom
  ///   store's initializer is the underlying one of a ``SwiftDataError/loadIssueModelContainer``.
  public init(for givenSchema: Schema, configurations: [any DataStoreConfiguration]) throws {
    schema = givenSchema
    migrationPlan = nil
    core = try ContainerCore(schema: givenSchema, configurations: configurations, migrationPlan: nil)
  }

  /// Opens stores of any kind for some models and those they relate to.
  public convenience init(
    for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(for: Schema(forTypes), configurations: configurations)
  }

  init(core: ContainerCore) {
    schema = core.schema
    migrationPlan = core.migrationPlan
    self.core = core
  }

  /// Containers are equal when they are the same.
  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool {
    lhs.core === rhs.core
  }

  /// The context of the main actor, with autosave on.
  @MainActor public var mainContext: ModelContext {
    if let context = heldMainContext { return context }
    let graph = core.mainGraph ?? ObjectGraph(self, isMain: true)
    core.mainGraph = graph
    let context = graph.context
    heldMainContext = context
    return context
  }

  /// Deletes the rows of all stores, and the files of external attributes.
  ///
  /// Contexts learn of it as of any deletion by somebody else: models lose their rows, unsaved insertions stay.
  ///
  /// - Throws: ``StoreFailure``, or what a custom store throws. The stores before that one are empty then.
  public func erase() throws {
    try core.erase()
  }

  /// Deletes the rows of all stores. What ``erase()`` throws is logged here.
  public func deleteAllData() {
    do {
      try erase()
    } catch {
      Log.store.error("deleteAllData failed: \(error)")
    }
  }

  /// The identifier that is recorded in the store of a configuration.
  public func storeIdentifier(forConfigurationNamed name: String) -> String? {
    core.stores.first { $0.name == name }?.identifier.string
  }

  /// The name of the configuration whose store has an identifier.
  public func configurationName(forStoreIdentifier identifier: String) -> String? {
    core.stores.first { $0.identifier.string == identifier }?.name
  }

  var stores: [any Store] { core.stores }
  var storeIndices: [Int] { core.storeIndices }

  func attach(_ inbox: ChangeInbox) { core.attach(inbox) }
  func broadcast(_ notice: ChangeNotice, from sender: ChangeInbox) { core.broadcast(notice, from: sender) }
}

extension ModelContainer: CustomDebugStringConvertible {
  public var debugDescription: String {
    "ModelContainer(\(core.stores.map(\.debugDescription).joined(separator: ", ")))"
  }
}
