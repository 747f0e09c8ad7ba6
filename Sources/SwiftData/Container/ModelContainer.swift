import Foundation

/// A schema and the stores that hold its models.
///
/// Make one container for each set of stores and keep it. A container can be used from any thread.
///
/// A container opens its stores when it is made, and creates the tables of a new store. When an older store has another
/// schema, the container changes the tables where this needs no code: for example for a new entity, a new property that
/// is optional or has a default value, a property renamed with `originalName`, a removed property, or a new index.
/// Where code is needed, it runs the stages of its ``migrationPlan``. When the schema differs in another way, the
/// initializer throws and leaves the file as it is. <doc:ChangingModels> lists the changes that are made and refused.
public class ModelContainer: Equatable, @unchecked Sendable {
  // The conformance is unchecked because the class is not final. Its properties are constant, or belong to the main actor.

  /// The models that the container knows, including related ones.
  public final let schema: Schema
  /// The migration plan that the container was made with.
  ///
  /// The initializer runs its stages, in one transaction or on a copy of the store: see <doc:ChangingModels>. Nil for a
  /// container without a plan, such as all containers with custom stores.
  public final let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The configurations of the container's SQLite stores, without those of custom stores.
  ///
  /// Stores are opened when the container is made. Setting this property later neither opens nor closes a store.
  public var configurations: Set<ModelConfiguration> {
    get { core.configurations.withLock { $0 } }
    set { core.configurations.withLock { $0 = newValue } }
  }

  // Stores, and the list of contexts, are in a separate object, because the main context retains them and the container
  // retains its main context: without it, the two would be a retain cycle.
  let core: ContainerCore
  /// Made by `mainContext`.
  @MainActor var heldMainContext: ModelContext?

  /// Opens the stores for a schema.
  ///
  /// A store holds the models of its configuration's schema. Models that no configuration lists go to the first
  /// configuration without a schema, or to the first configuration when each has a schema.
  ///
  /// - Parameters:
  ///   - givenSchema: The models.
  ///   - migrationPlan: The plan that migrates older stores. Its stages run before the initializer returns, which may
  ///     take long. They report to the current `Progress` of the thread, as changes of tables without a plan do.
  ///   - configurations: A configuration for each store. When the array is empty, the default store is opened.
  /// - Throws: ``SwiftDataError`` when the schema is invalid, with all issues in the error's details, or when a store
  ///   cannot be opened. The initializer checks all SQLite stores before it changes one of them, so a store that it
  ///   refuses leaves the others unchanged. Changes may remain in a custom store, and in an SQLite store when a file
  ///   fails after that check. The stages of a plan change several stores together: when the process ends in between, the
  ///   next opening of one of the stores completes the change. A new file may remain, without tables. An error of a stage
  ///   is the underlying error of a ``SwiftDataError/loadIssueModelContainer``.
  ///   ``SwiftDataError/backwardMigration`` when the plan leads from the container's schema to the version of a store, and
  ///   not back; ``SwiftDataError/storeFailure`` for example when others lock a store for too long, or the disk is full;
  ///   `CancellationError` when the progress or the task was cancelled.
  public init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    schema = givenSchema
    self.migrationPlan = migrationPlan
    core = try ContainerCore(schema: givenSchema, configurations: configurations, migrationPlan: migrationPlan)
    core.remoteChanges.attach(self)
  }

  /// Opens the stores for a schema.
  ///
  /// - Parameters:
  ///   - givenSchema: The models.
  ///   - migrationPlan: As for the initializer that takes an array of configurations.
  ///   - configurations: A configuration for each store; the default store when there are none.
  /// - Throws: The errors of ``init(for:migrationPlan:configurations:)-(_,_,[ModelConfiguration])``.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores for some models and the models related to them.
  ///
  /// - Parameters:
  ///   - forTypes: The models.
  ///   - migrationPlan: As for the initializer that takes an array of configurations.
  ///   - configurations: A configuration for each store; the default store when there are none.
  /// - Throws: The errors of ``init(for:migrationPlan:configurations:)-(_,_,[ModelConfiguration])``.
  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens stores of any kind for a schema.
  ///
  /// A store holds the models of its configuration's schema. Models that no configuration lists go to the first
  /// configuration without a schema, or to the first configuration when each has a schema.
  ///
  /// - Parameters:
  ///   - givenSchema: The models.
  ///   - configurations: A configuration for each store. When the array is empty, the default store is opened. A
  ///     ``ModelConfiguration`` describes an SQLite store; configurations of other types describe a ``DataStore`` of
  ///     your own.
  /// - Throws: The errors of ``init(for:migrationPlan:configurations:)-(_,_,[ModelConfiguration])``. When the initializer of
  ///   a custom store throws an error other than ``SwiftDataError``, that error is the underlying error of a
  ///   ``SwiftDataError/loadIssueModelContainer``.
  public init(for givenSchema: Schema, configurations: [any DataStoreConfiguration]) throws {
    schema = givenSchema
    migrationPlan = nil
    core = try ContainerCore(schema: givenSchema, configurations: configurations, migrationPlan: nil)
    core.remoteChanges.attach(self)
  }

  /// Opens stores of any kind for some models and the models related to them.
  ///
  /// - Parameters:
  ///   - forTypes: The models.
  ///   - configurations: A configuration for each store; the default store when there are none.
  /// - Throws: The errors of ``init(for:migrationPlan:configurations:)-(_,_,[ModelConfiguration])``.
  public convenience init(
    for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(for: Schema(forTypes), configurations: configurations)
  }

  init(core: ContainerCore) {
    schema = core.schema
    migrationPlan = core.migrationPlan
    self.core = core
    core.remoteChanges.attach(self)
  }

  /// Two containers are equal when they share their open stores; containers made separately are never equal.
  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool {
    lhs.core === rhs.core
  }

  /// Deletes the rows of all stores, and the files of attributes with external storage.
  ///
  /// Contexts treat this like a deletion that another context saved: models lose their rows, and unsaved insertions
  /// stay. A context that has models then posts ``ModelContext/didSave`` with
  /// ``ModelContext/NotificationKey/invalidatedAllIdentifiers``.
  ///
  /// - Throws: ``SwiftDataError/storeFailure``, ``SwiftDataError/loadIssueModelContainer`` when the tables have changed since
  ///   the store was opened, or an error of a custom store. Stores are erased one after the other; the stores before the one
  ///   that failed are empty then.
  public func erase() throws {
    try core.erase()
  }

  /// Deletes the rows of all stores, as ``erase()`` does, but logs an error instead of throwing it.
  public func deleteAllData() {
    do {
      try erase()
    } catch {
      Log.store.error("deleteAllData failed: \(error)")
    }
  }

  /// The identifier of the store whose configuration has the given name; nil when there is no such configuration.
  public func storeIdentifier(forConfigurationNamed name: String) -> String? {
    core.stores.first { $0.name == name }?.identifier.string
  }

  /// The name of the configuration whose store has the given identifier; nil when there is no such store.
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
