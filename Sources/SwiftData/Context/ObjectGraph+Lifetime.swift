import Dispatch

extension ObjectGraph {
  /// Who keeps the graph.
  struct Lifetime {
    /// The context that somebody holds.
    weak var context: ModelContext?
  }

  /// The context of the graph: the one that somebody holds, or a new one.
  var context: ModelContext {
    lifetime.context ?? ModelContext(self)
  }

  func opened(_ context: ModelContext) {
    lifetime.context = context
  }

  /// Called when nobody holds the context any more.
  func closed() {
    // Models that somebody still holds become plain objects with the values they have; cycles among them are cut.
    for model in registeredModels { detach(model) }
    for model in inserted.models { detach(model) }
  }

  private func detach(_ model: any PersistentModel) {
    model._$withState { $0.leave($0.status == .inserted ? .plain : $0.status == .deleted ? .gone : $0.status) }
    for property in ModelRuntime.of(model).relationships { property.release(model) }
  }

  /// Has the main context take in what others save as soon as the main queue is free.
  func listen() {
    let reference = UncheckedReference(graph: self)
    inbox.onPost { DispatchQueue.main.async { reference.graph?.processInbox() } }
  }
}
