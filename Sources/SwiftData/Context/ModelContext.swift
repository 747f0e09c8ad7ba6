import Foundation

/// Fetches, inserts, changes and deletes models.
///
/// Changes stay in memory until ``save()`` writes them to the stores or ``rollback()`` discards them. Within one
/// context a row is represented by one object. A context and its models belong to one isolation, such as the main actor
/// or a ``ModelActor``, and neither is `Sendable`. A context keeps its container alive.
///
/// A model may outlive its context and can still be read, changed and saved. Its ``PersistentModel/modelContext`` is
/// then another object, a context with the same models and the same unsaved changes. Unsaved changes are lost when
/// nothing refers to the context or any of its models any more.
public class ModelContext: Equatable, SendableMetatype {
  /// The models and their changes. They are a thing of their own because models may outlive their context, and because a
  /// context that nobody holds must not be kept by its own models.
  let graph: ObjectGraph
  /// What the undo manager knows of the models' changes. It holds the models, and goes with the context.
  var undoRecorder: UndoRecorder?

  /// The container whose stores the context reads and writes.
  public var container: ModelContainer {
    graph.container
  }

  /// Whether the context saves by itself after changes.
  ///
  /// The value is `true` at first for the container's main context, which saves when the main queue is free after a
  /// change. When such a save fails, the error is logged, and the save is tried again after the next change.
  ///
  /// For a context that was made with ``init(_:)`` the value is `false` at first. The context of a ``ModelActor`` can be
  /// set to `true`: it then saves as soon as the actor is done with what it has to do before, on the actor's executor, also
  /// if the actor goes away meanwhile. Any other context has no means to run code in the isolation that it belongs to. It
  /// saves when it is told to, and the first change of such a context says so in the log.
  public var autosaveEnabled: Bool {
    get { graph.autosaveEnabled }
    set { graph.autosaveEnabled = newValue }
  }

  /// Whether the context may evaluate in memory the parts of a fetch that the store cannot evaluate.
  ///
  /// The value is `true` at first. The store then selects models with the rest of the predicate, the context filters
  /// and sorts these in memory, and the logger `swiftdata.fetch` names the part that the store could not evaluate.
  ///
  /// When the value is `false`, such a fetch throws ``SwiftDataError/unsupportedPredicate`` or
  /// ``SwiftDataError/unsupportedSortDescriptor``, which names the part and its key path. This prevents fetches that
  /// read a whole table by mistake. An addition of OpenSwiftData.
  public var allowsInMemoryEvaluation: Bool {
    get { graph.allowsInMemoryEvaluation }
    set { graph.allowsInMemoryEvaluation = newValue }
  }

  /// Whether a save may update a row that has the unique values of an inserted model.
  ///
  /// The value is `true` at first. An inserted model with the unique values of a row then becomes that row, and its
  /// values replace those of the row, as in Apple's framework.
  ///
  /// When the value is `false`, the save throws ``SwiftDataError/insertionConflict``, and writes nothing. The same is true
  /// of two inserted models with the same unique values. The context asks for the value when it saves, and a custom store
  /// is not told of it. An addition of OpenSwiftData.
  public var allowsUpserts: Bool {
    get { graph.allowsUpserts }
    set { graph.allowsUpserts = newValue }
  }

  /// The author of the changes that the context saves.
  ///
  /// The history records it with each save: see ``fetchHistory(_:)``. A custom store gets it as
  /// ``EditingState/author``.
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// Identifies the context to its stores.
  public var editingState: EditingState {
    get { graph.editingState }
    set { graph.editingState = newValue }
  }

  /// A closure that the context calls just before it reads a relationship that code has touched and that is not loaded.
  ///
  /// One read, and so one call, serves the touched model and up to thousands of models that were fetched together with
  /// it. The closure must not touch models.
  ///
  /// A test can set the closure to find code that walks through relationships without naming them in
  /// ``FetchDescriptor/relationshipKeyPathsForPrefetching``. An addition of OpenSwiftData.
  public var relationshipLoadHandler: ((RelationshipLoad) -> Void)? {
    get { graph.relationshipLoadHandler }
    set { graph.relationshipLoadHandler = newValue }
  }

  /// Makes a context over the stores of `container`, with autosave off.
  ///
  /// The context belongs to the isolation in which it is made. Making a context is cheap: no file is touched before the
  /// first fetch or save.
  public init(_ container: ModelContainer) {
    graph = ObjectGraph(container, isMain: false)
    graph.opened(self)
  }

  init(_ graph: ObjectGraph) {
    self.graph = graph
    graph.opened(self)
  }

  deinit {
    graph.closed()
  }

  /// Contexts are equal when they are the same object or share the same models and unsaved changes.
  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool {
    lhs.graph === rhs.graph
  }
}

// The conformance is unavailable. It is only there to give the compiler's error this message.
@available(*, unavailable, message: "contexts cannot be shared across concurrency contexts")
extension ModelContext: @unchecked Sendable {}

extension ModelContext: CustomDebugStringConvertible {
  public var debugDescription: String {
    """
    ModelContext(inserted: \(graph.journal.inserted.count), changed: \(changedModelsArray.count), \
    deleted: \(graph.journal.deleted.count + graph.journal.deletedRows.count), autosave: \(autosaveEnabled), \
    container: \(container.debugDescription))
    """
  }
}
