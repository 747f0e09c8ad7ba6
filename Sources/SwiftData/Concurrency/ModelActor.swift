/// An actor with a ``ModelContext`` of its own.
///
/// Attach the macro ``ModelActor()`` to an actor to make it conform.
public protocol ModelActor: Actor {
  /// The container whose stores the context of the actor reads and writes.
  nonisolated var modelContainer: ModelContainer { get }
  /// The executor that runs the jobs of the actor and owns its context.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

/// An executor that owns a model context.
public protocol ModelExecutor: Executor {
  /// The context that the jobs of the executor use.
  var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

extension ModelActor {
  /// The executor that runs the actor's jobs: ``modelExecutor``.
  ///
  /// The program stops if it is not a ``SerialModelExecutor``.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    guard let executor = modelExecutor as? any SerialModelExecutor else {
      preconditionFailure("A ModelActor needs a SerialModelExecutor")
    }
    return executor.asUnownedSerialExecutor()
  }

  /// The actor's own context. It does not autosave, unless ``ModelContext/autosaveEnabled`` is set.
  public var modelContext: ModelContext {
    modelExecutor.modelContext
  }

  /// The model with an identifier in the actor's context; nil if there is no such model of the given type.
  ///
  /// The model is read from the store if the context does not have it yet. If the store cannot be read, the result is nil
  /// and the error is logged.
  public subscript<T>(id: PersistentIdentifier, as as: T.Type) -> T? where T: PersistentModel {
    do {
      return try modelContext.graph.existingModel(for: id, as: `as`)
    } catch {
      Log.store.error("Looking up \(id) failed: \(error)")
      return nil
    }
  }
}
