import Foundation

/// A place where models are fetched, inserted, changed and deleted, until ``save()`` writes all of it or ``rollback()``
/// forgets it.
///
/// Within one context one row is one object. A context and its models belong to one isolation, the main actor's or a
/// ``ModelActor``'s; neither is `Sendable`. A context keeps its container alive.
///
/// A model may outlive its context: it keeps all that it takes to be read, changed and saved. Its
/// ``PersistentModel/modelContext`` is then a context with the same models and the same unsaved changes, though
/// not the same object. What was not saved is gone once nobody holds the context or any of its models.
public class ModelContext: Equatable, SendableMetatype {
  /// The models and their changes. They are a thing of their own because models may outlive their context, and because a
  /// context that nobody holds must not be kept by its own models.
  let graph: ObjectGraph

  /// The container whose stores the context reads and writes.
  public var container: ModelContainer {
    graph.container
  }

  /// Whether the context saves by itself after changes.
  ///
  /// It is on for the container's main context, which saves when the current work of the main actor is done. A save that
  /// fails is tried again after the next change, and is only logged. A context made by hand keeps the value, and saves
  /// when it is told to: it cannot find its way back to the isolation that it belongs to.
  public var autosaveEnabled: Bool {
    get { graph.autosaveEnabled }
    set { graph.autosaveEnabled = newValue }
  }

  /// Whether what a store cannot evaluate of a fetch may be evaluated in memory, over the models that the rest of the
  /// predicate selects. An addition of OpenSwiftData.
  ///
  /// It is true at first, and the logger `swiftdata.fetch` tells which part it was. When it is false, such a fetch throws
  /// ``SwiftDataError/unsupportedPredicate`` or ``SwiftDataError/unsupportedSortDescriptor`` instead, with the part and
  /// its key path named, so that no table is read by mistake.
  public var allowsInMemoryEvaluation: Bool {
    get { graph.allowsInMemoryEvaluation }
    set { graph.allowsInMemoryEvaluation = newValue }
  }

  /// Who makes the changes. This release keeps no history that would show it.
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// The context's identity toward its stores.
  public var editingState: EditingState {
    get { graph.editingState }
    set { graph.editingState = newValue }
  }

  /// Called when code touches a relationship that is not loaded, just before it is read. Models that came together share
  /// reads, and a call for each read: one for some thousand models, and two or three more where a program walks on.
  ///
  /// A test that sets it finds the places where a program walks through relationships instead of naming them in
  /// ``FetchDescriptor/relationshipKeyPathsForPrefetching``. An addition of OpenSwiftData. It must not touch models.
  public var relationshipLoadHandler: ((RelationshipLoad) -> Void)? {
    get { graph.relationshipLoadHandler }
    set { graph.relationshipLoadHandler = newValue }
  }

  /// Makes a context over the stores of `container`, with autosave off.
  ///
  /// It belongs to the isolation it is made in. Making one is cheap: no file is touched before the first fetch or save.
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

  /// Contexts are equal when they are the same object, or stand for the same models.
  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool {
    lhs.graph === rhs.graph
  }
}

// Nothing is claimed: the conformance is there to be refused by name.
@available(*, unavailable, message: "contexts cannot be shared across concurrency contexts")
extension ModelContext: @unchecked Sendable {}

extension ModelContext: CustomDebugStringConvertible {
  public var debugDescription: String {
    """
    ModelContext(inserted: \(graph.inserted.count), changed: \(changedModelsArray.count), \
    deleted: \(graph.deleted.count + graph.deletedRows.count), autosave: \(autosaveEnabled), \
    container: \(container.debugDescription))
    """
  }
}
