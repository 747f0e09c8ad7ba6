import Foundation
import Support

import struct Synchronization.Atomic

/// The models of one context, and their unsaved changes. A ``ModelContext`` is the interface to a graph.
///
/// It belongs to the isolation of the context. It lives as long as the program retains the context or one of its models;
/// see `ObjectGraph+Lifetime.swift`.
final class ObjectGraph {
  let core: ContainerCore
  /// Nil for the main context, which its container retains.
  private let ownContainer: ModelContainer?
  private weak var mainContainer: ModelContainer?
  let isMain: Bool
  /// Whether the context belongs to the main queue, unless it has an executor.
  let isOnMainQueue: Bool

  // Exclusivity is unchecked below, because the graph belongs to one isolation, and no access lasts while other code uses
  // the graph: `ModelList.visit` enumerates a copy, and lists release a model at the end of a removal.

  @exclusivity(unchecked) var autosaveEnabled: Bool
  var allowsInMemoryEvaluation = true
  var allowsUpserts = true
  var mergePolicy = MergePolicy.lastWriterWins
  var editingState: EditingState
  var relationshipLoadHandler: ((ModelContext.RelationshipLoad) -> Void)?
  var lazyLoadHandler: ((ModelContext.LazyLoad) -> Void)?

  let bindings: [ObjectIdentifier: EntityBinding]
  /// The bindings by the position of the entity in the schema.
  let bindingsByOrdinal: [EntityBinding]
  /// The elements of `bindingsByOrdinal`, for iterations without retains.
  let bindingReferences: [Unmanaged<EntityBinding>]
  /// The last result of `binding(forNext:)`.
  private var lastBinding: EntityBinding?
  let sessions: [any StoreSession]

  @exclusivity(unchecked) var journal = Journal()
  @exclusivity(unchecked) var failures = Failures()
  @exclusivity(unchecked) var saving = SaveState()
  @exclusivity(unchecked) var lifetime = Lifetime()
  @exclusivity(unchecked) var notices = ObservationNotices()
  /// While changes of other contexts are merged.
  @exclusivity(unchecked) var mergeOperation: MergeOperation?
  let exclusiveAccess = ExclusiveAccess()

  /// The row that faults are made from.
  let emptyRow: _RowReader = EmptyRowReader()

  /// The recorder of the context, if there is one.
  weak var undoRecorder: UndoRecorder?

  let inbox = ChangeInbox()
  /// The observer of the context's changes.
  var changeObserver: (any ChangeObserver)? {
    get { journal.observer }
    set {
      journal.observer = newValue
      updateChangeReporting()
    }
  }
  /// Whether changes have to be reported: see `didChange`. Checked for each change of a property.
  let reportsChanges = Atomic<Bool>(false)
  /// Whether models are read for live results: code that reads the results does not observe the properties that the query
  /// reads.
  var readsUnobserved = false

  /// The queue of the executors over the context, once there is one.
  let executorQueue = Mutex<SerialQueue?>(nil)

  init(_ container: ModelContainer, isMain: Bool) {
    core = container.core
    ownContainer = isMain ? nil : container
    mainContainer = isMain ? container : nil
    self.isMain = isMain
    isOnMainQueue = isMain || MainQueue.isCurrent
    autosaveEnabled = isMain
    let state = EditingState()
    editingState = state
    (sessions, bindingsByOrdinal, bindings) = Self.open(container, state)
    bindingReferences = bindingsByOrdinal.map(Unmanaged.passUnretained)
    for binding in bindingsByOrdinal {
      binding.attach(to: self)
      for rule in binding.relationshipRules { rule.connect(to: self.binding(for: rule.property.destinationType)) }
    }
    container.attach(inbox)
    if isMain { observeInbox() }
  }

  deinit {
    if saving.isAwaited { PendingAutosaves.remove(self) }
    for session in sessions { session.close() }
  }

  /// The container. A main context whose container was released gets another object for the same container.
  var container: ModelContainer {
    ownContainer ?? mainContainer ?? ModelContainer(core: core)
  }

  /// The queue for the jobs of the context's executors. All executors share it.
  func queueForExecutor() -> SerialQueue {
    let (queue, isNew) = executorQueue.withLock { known in
      if let known { return (known, false) }
      let queue = SerialQueue(on: .shared)
      known = queue
      return (queue, true)
    }
    if !isNew {
      Log.model.warning(
        "A second executor was made over a ModelContext. Both run on one queue; make a context for each.")
    }
    return queue
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

  /// The registered target of a to-one's key, unless its class cannot be a target of the relationship: classes of an
  /// inheritance tree share a key space, and a file may have the key of any row.
  func target(
    _ key: Int64, _ property: any RelationshipProperty, _ destination: EntityBinding
  ) -> (any PersistentModel)? {
    guard let target = destination.map.model(key), !destination.isPolymorphic || property.accepts(type(of: target))
    else {
      return nil
    }
    return target
  }

  /// Fires the faults of the context's models.
  var faulting: FaultOperation { FaultOperation(graph: self) }

  /// `binding(for:)` for a series of models, most of which are of one type.
  func binding(forNext type: any PersistentModel.Type) -> EntityBinding? {
    if let lastBinding, ObjectIdentifier(lastBinding.runtime.type) == ObjectIdentifier(type) { return lastBinding }
    lastBinding = binding(for: type)
    return lastBinding
  }

  /// Reverts the models to their values before a step of an undo manager.
  func undo(_ step: UndoStep) {
    UndoOperation(graph: self, step: step).run()
  }

  /// The binding, or the error of a fetch of a type that is not in the schema.
  func requireBinding(for type: any PersistentModel.Type) throws -> EntityBinding {
    guard let binding = binding(for: type) else {
      let (message, hint) = messageForUnknown(type)
      throw SwiftDataError.unknownSchema.with(entity: Schema.simpleName(of: type), message: message, hint: hint)
    }
    return binding
  }

  /// The message and the hint for a type that is not in the schema.
  func messageForUnknown(_ type: any PersistentModel.Type) -> (message: String, hint: String) {
    let name = Schema.qualifiedName(of: type)
    guard let other = bindingsByOrdinal.first(where: { $0.entity.name == Schema.simpleName(of: type) }) else {
      return ("The container's schema has no entity for \(name).", "List the type when you make the ModelContainer.")
    }
    return (
      "The container has \(Schema.qualifiedName(of: other.runtime.type)), and not \(name).",
      """
      Use the container's class. In a stage of a migration plan, willMigrate has the classes of the older version, and \
      didMigrate has the classes of the newer one.
      """
    )
  }

  var maps: [IdentityMap] {
    var seen = Set<ObjectIdentifier>()
    return bindingsByOrdinal.map(\.map).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  var registeredModels: [any PersistentModel] {
    maps.flatMap(\.models)
  }
}
