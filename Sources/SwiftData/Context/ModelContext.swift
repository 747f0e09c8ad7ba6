import Dispatch
import Foundation

/// A place where models are fetched, inserted, changed and deleted, until ``save()`` writes all of it or ``rollback()``
/// forgets it.
///
/// Within one context one row is one object. A context and its models belong to one isolation, the main actor's or a
/// ``ModelActor``'s; neither is `Sendable`. A context keeps its container alive, and its models do not keep it: a model
/// that outlives its context keeps the values it has read, and its relationships to what was not read are empty.
public class ModelContext: Equatable, SendableMetatype {
  /// The container whose stores the context reads and writes.
  public var container: ModelContainer {
    heldContainer ?? ModelContainer(core: core)
  }

  let core: ContainerCore
  /// Nil for the main context, which its container holds.
  private let ownContainer: ModelContainer?
  private weak var mainContainer: ModelContainer?

  private var heldContainer: ModelContainer? {
    ownContainer ?? mainContainer
  }

  /// Whether the context saves by itself after changes.
  ///
  /// It is on for the container's main context, which saves when the current work of the main actor is done. A save that
  /// fails is tried again after the next change, and is only logged. A context made by hand keeps the value, and saves
  /// when it is told to: it cannot find its way back to the isolation that it belongs to.
  @exclusivity(unchecked) public var autosaveEnabled = false

  /// Whether what a store cannot evaluate of a fetch may be evaluated in memory, over the models that the rest of the
  /// predicate selects. An addition of OpenSwiftData.
  ///
  /// It is true at first, and the logger `swiftdata.fetch` tells which part it was. When it is false, such a fetch throws
  /// ``SwiftDataError/unsupportedPredicate`` or ``SwiftDataError/unsupportedSortDescriptor`` instead, with the part and
  /// its key path named, so that no table is read by mistake.
  public var allowsInMemoryEvaluation = true

  /// Who makes the changes. This release keeps no history that would show it.
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// The context's identity toward its stores.
  public var editingState: EditingState

  let bindings: [ObjectIdentifier: EntityBinding]
  /// The same by the position of the entity in the schema.
  let bindingsByOrdinal: [EntityBinding]
  let sessions: [any StoreSession]

  @exclusivity(unchecked) var inserted = ModelList<StatePlace>()
  @exclusivity(unchecked) var deleted = ModelList<StatePlace>()
  /// Asked for each row that is read.
  @exclusivity(unchecked) var deletedRows = DeletedRows()
  @exclusivity(unchecked) var changed = ModelList<RecordPlace>()
  /// What was refused by a call that cannot throw; the next save reports it.
  @exclusivity(unchecked) var pendingIssues: [SwiftDataError.Issue] = []

  /// The user info of the last save, emptied for the next.
  @exclusivity(unchecked) var saveInfo: SaveInfo?

  /// What failed in an accessor, which cannot throw; the next call that can throws it.
  @exclusivity(unchecked) var accessFailure: (any Error)?

  /// What models are made from that are read later.
  let emptyRow: _RowReader = EmptyRowReader()

  /// Called when code touches a relationship that is not loaded, just before it is read. Models that came together share
  /// reads, and a call for each read: one for some thousand models, and two or three more where a program walks on.
  ///
  /// A test that sets it finds the places where a program walks through relationships instead of naming them in
  /// ``FetchDescriptor/relationshipKeyPathsForPrefetching``. An addition of OpenSwiftData. It must not touch models.
  public var relationshipLoadHandler: ((RelationshipLoad) -> Void)?

  let inbox = ChangeInbox()
  @exclusivity(unchecked) var isAutosaveScheduled = false
  let isMain: Bool

  /// Makes a context over the stores of `container`, with autosave off.
  ///
  /// It belongs to the isolation it is made in. Making one is cheap: no file is touched before the first fetch or save.
  public init(_ container: ModelContainer) {
    core = container.core
    ownContainer = container
    isMain = false
    let state = EditingState()
    editingState = state
    (sessions, bindingsByOrdinal, bindings) = Self.open(container, state)
    for binding in bindingsByOrdinal { binding.attach(to: self) }
    container.attach(inbox)
  }

  init(main container: ModelContainer) {
    core = container.core
    ownContainer = nil
    mainContainer = container
    isMain = true
    let state = EditingState()
    editingState = state
    (sessions, bindingsByOrdinal, bindings) = Self.open(container, state)
    for binding in bindingsByOrdinal { binding.attach(to: self) }
    autosaveEnabled = true
    container.attach(inbox)
    let reference = UncheckedReference(context: self)
    inbox.onPost { DispatchQueue.main.async { reference.context?.processInbox() } }
  }

  deinit {
    // Models that somebody still holds become plain objects with the values they have; cycles among them are cut.
    for model in registeredModels { detach(model) }
    for model in inserted.models { detach(model) }
    for session in sessions { session.close() }
  }

  /// Contexts are equal when they are the same object.
  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool {
    lhs === rhs
  }

  private static func open(
    _ container: ModelContainer, _ editingState: EditingState
  ) -> ([any StoreSession], [EntityBinding], [ObjectIdentifier: EntityBinding]) {
    let sessions = container.stores.map { $0.makeSession(for: editingState) }
    var maps: [ObjectIdentifier: IdentityMap] = [:]
    var ordered: [EntityBinding] = []
    var byType: [ObjectIdentifier: EntityBinding] = [:]
    for (ordinal, entity) in container.schema.entities.enumerated() {
      guard let type = entity.modelType else { continue }
      let sessionIndex = container.storeIndices[ordinal]
      let root = ObjectIdentifier(entity.rootEntity)
      let map = maps[root] ?? IdentityMap()
      maps[root] = map
      let binding = EntityBinding(
        runtime: ModelRuntime.of(type), entity: entity, ordinal: ordinal, map: map, session: sessions[sessionIndex],
        sessionIndex: sessionIndex)
      ordered.append(binding)
      byType[ObjectIdentifier(type)] = binding
    }
    return (sessions, ordered, byType)
  }

  func binding(for type: any PersistentModel.Type) -> EntityBinding? {
    bindings[ObjectIdentifier(type)]
  }

  /// The binding, or the error of a fetch of a type that the container does not know.
  func requireBinding(for type: any PersistentModel.Type) throws -> EntityBinding {
    guard let binding = binding(for: type) else {
      throw SwiftDataError.unknownSchema.with(
        entity: String(describing: type), message: "The container's schema has no entity for \(type).",
        hint: "List the type when you make the ModelContainer.")
    }
    return binding
  }

  var maps: [IdentityMap] {
    var seen = Set<ObjectIdentifier>()
    return bindingsByOrdinal.map(\.map).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  var registeredModels: [any PersistentModel] {
    maps.flatMap(\.models)
  }

  private func detach(_ model: any PersistentModel) {
    model._$withState { $0.leave($0.status == .inserted ? .plain : $0.status == .deleted ? .gone : $0.status) }
    for property in ModelRuntime.of(model).relationships { property.release(model) }
  }
}

@available(*, unavailable, message: "contexts cannot be shared across concurrency contexts")
extension ModelContext: @unchecked Sendable {}

extension ModelContext: CustomDebugStringConvertible {
  public var debugDescription: String {
    """
    ModelContext(inserted: \(inserted.count), changed: \(changedModelsArray.count), deleted: \(deleted.count + deletedRows.count), \
    autosave: \(autosaveEnabled), container: \(container.debugDescription))
    """
  }
}
