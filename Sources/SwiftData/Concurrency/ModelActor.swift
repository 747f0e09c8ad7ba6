/// An actor with a ``ModelContext`` of its own. Attach ``ModelActor()`` to an actor to make it one.
public protocol ModelActor: Actor {
  nonisolated var modelContainer: ModelContainer { get }
  nonisolated var modelExecutor: any ModelExecutor { get }
}

/// An executor that owns a model context.
public protocol ModelExecutor: Executor {
  var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

extension ModelActor {
  /// The executor that the actor's jobs run on: ``modelExecutor``, which must be a ``SerialModelExecutor``.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    guard let executor = modelExecutor as? any SerialModelExecutor else {
      preconditionFailure("A ModelActor needs a SerialModelExecutor")
    }
    return executor.asUnownedSerialExecutor()
  }

  /// The actor's own context. It does not save by itself.
  public var modelContext: ModelContext {
    modelExecutor.modelContext
  }

  /// The model with an identifier, in the actor's context: read from the store when it must be, nil when there is none
  /// or when the store fails, which is logged.
  public subscript<T>(id: PersistentIdentifier, as as: T.Type) -> T? where T: PersistentModel {
    do {
      return try modelContext.graph.existingModel(for: id, as: `as`)
    } catch {
      Log.store.error("Looking up \(id) failed: \(error)")
      return nil
    }
  }
}
