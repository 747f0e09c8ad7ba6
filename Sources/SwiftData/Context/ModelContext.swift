import Foundation

/// Fetches, inserts, changes and deletes models.
///
/// Changes stay in memory until ``save()`` writes them to the stores or ``rollback()`` discards them. Within one
/// context a row is represented by one object. A context and its models belong to one isolation, such as the main actor or
/// a ``ModelActor``, and neither is `Sendable`. A context retains its container.
///
/// A context that is released discards its unsaved changes, and logs a warning. The release takes time in proportion to the
/// number of models in memory. A model may outlive its context and can still be read, changed and saved: its
/// ``PersistentModel/modelContext`` is then a new context with the same models. See <doc:ModelsAndContexts>.
public class ModelContext: Equatable, SendableMetatype {
  /// The models and their changes. They are a separate object, because models may outlive their context, and because models
  /// must not retain a context that the program has released.
  let graph: ObjectGraph
  /// The undo actions of the context. It retains their models, and is released with the context.
  var undoRecorder: UndoRecorder?

  /// The container whose stores the context reads and writes.
  public var container: ModelContainer {
    graph.container
  }

  /// Whether the context autosaves.
  ///
  /// The value is `true` by default for the container's main context, and `false` for a context that was made with
  /// ``init(_:)``. Changes that are unsaved when the value becomes `true` are saved as well.
  ///
  /// The context saves at the end of the turn: as soon as its isolation has run everything that was enqueued before the
  /// first of the changes. So all changes of a turn are one save. There is no timer. The isolation depends on the context:
  ///
  /// - The context of a ``DefaultSerialModelExecutor``, such as that of an actor with the macro ``ModelActor()``, saves on
  ///   the queue of the executor, also if the actor is released meanwhile.
  /// - The main context, and any other that was made on the main thread or on the main queue, saves on the main queue. The
  ///   main context needs its container until then; the others are retained until they have saved.
  /// - The library cannot run code in the isolation of any other context, which does not autosave: call ``save()``. The
  ///   first change of such a context logs a warning, once in a program.
  ///
  /// Unsaved changes are also saved when the program ends normally, at the end of `main` or by `exit`. If a save fails, the
  /// changes stay unsaved, the error is logged, ``autosaveFailure`` has it, and ``autosaveDidFail`` is posted. The save is
  /// tried again after the next change. See <doc:SavingAndAutosave>.
  public var autosaveEnabled: Bool {
    get { graph.autosaveEnabled }
    set {
      graph.autosaveEnabled = newValue
      if newValue { graph.scheduleAutosaveIfNeeded() }
    }
  }

  /// The error of the last autosave, if it failed.
  ///
  /// The value is `nil` after the next successful save, automatic or by ``save()``, and after ``rollback()``. It may be the
  /// error of a read that could not throw: the context then waits until a fetch or a save has thrown it. An addition of
  /// OpenSwiftData.
  public var autosaveFailure: (any Error)? {
    graph.saving.autosaveFailure
  }

  /// Whether the context may evaluate in memory the parts of a fetch that the store cannot evaluate.
  ///
  /// The value is `true` by default. The store then selects models with the rest of the predicate, the context filters and
  /// sorts these in memory, and the logger `swiftdata.fetch` names the part that the store could not evaluate.
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
  /// The value is `true` by default. An inserted model with the unique values of a row then updates that row with its
  /// values, as in Apple's framework.
  ///
  /// If the value is `false`, the save throws ``SwiftDataError/insertionConflict``, and writes nothing. The same applies to
  /// two inserted models with the same unique values. The context reads the value when it saves, and does not pass it to a
  /// custom store. An addition of OpenSwiftData.
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

  /// A closure that the context calls just before it reads a relationship that code accesses and that is not loaded.
  ///
  /// One read, and so one call, serves the accessed model and up to thousands of models that were fetched together with it.
  /// The closure must not access models.
  ///
  /// A test can set the closure to find code that accesses relationships without naming them in
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
    graph.contextWasMade(self)
  }

  init(_ graph: ObjectGraph) {
    self.graph = graph
    graph.contextWasMade(self)
  }

  deinit {
    graph.contextWasDeinitialized()
  }

  /// Contexts are equal when they are the same object or share the same models and unsaved changes.
  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool {
    lhs.graph === rhs.graph
  }
}

// The conformance is unavailable. It exists only for the message of the compiler's error.
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
