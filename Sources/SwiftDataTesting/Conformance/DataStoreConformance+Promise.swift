extension DataStoreConformance {
  /// A promise that the suite checks.
  public enum Promise: String, CaseIterable, Sendable {
    /// Inserted models are in the store after the save.
    case insertion = "Inserted models are in the store after the save"
    /// The save gives each inserted model a unique, permanent identifier, which finds its row.
    case identifiers = "The save gives each inserted model a unique, permanent identifier, which finds its row"
    /// Updated models have their new values after the save.
    case update = "Updated models have their new values after the save"
    /// Deleted models are not in the store after the save, and others are.
    case deletion = "Deleted models are not in the store after the save, and others are"
    /// Attributes of all types keep their values.
    case attributes = "Attributes of all types keep their values"
    /// A fetch returns the models that its predicate selects, and no others.
    case predicates = "A fetch returns the models that its predicate selects, and no others"
    /// A fetch returns models in the order of its sort descriptors.
    case sorting = "A fetch returns models in the order of its sort descriptors"
    /// A fetch skips fetchOffset models and returns at most fetchLimit models.
    case limits = "A fetch skips fetchOffset models and returns at most fetchLimit models"
    /// fetchCount counts the models that the fetch returns.
    case counts = "fetchCount counts the models that the fetch returns"
    /// fetchIdentifiers returns the identifiers of the models that the fetch returns.
    case fetchedIdentifiers = "fetchIdentifiers returns the identifiers of the models that the fetch returns"
    /// A to-one relationship keeps its target.
    case toOne = "A to-one relationship keeps its target"
    /// A to-many relationship keeps its members.
    case toMany = "A to-many relationship keeps its members"
    /// A many-to-many relationship keeps the members of both sides.
    case manyToMany = "A many-to-many relationship keeps the members of both sides"
    /// Delete rules that the context applies reach the store.
    case deleteRules = "Delete rules that the context applies reach the store"
    /// A context sees the saved changes of another context of the container.
    case severalContexts = "A context sees the saved changes of another context of the container"
    /// Updates of different models by two contexts are both kept.
    case separateUpdates = "Updates of different models by two contexts are both kept"
    /// Saves of several tasks are all kept.
    case concurrentSaves = "Saves of several tasks are all kept"
    /// A save that fails writes nothing, and its changes can be saved later.
    case failedSave = "A save that fails writes nothing, and its changes can be saved later"
    /// A deletion by predicate deletes the models that it selects, and no others.
    case deletionByPredicate = "A deletion by predicate deletes the models that it selects, and no others"
    /// An erased store is empty, and can be written again.
    case erasure = "An erased store is empty, and can be written again"
    /// A second container finds the saved models, under the same identifiers.
    case reopening = "A second container finds the saved models, under the same identifiers"
    /// An inserted model with the unique values of a row becomes that row.
    case uniqueness = "An inserted model with the unique values of a row becomes that row"
    /// The history has each save, with its author and the identifiers of its models.
    case history = "The history has each save, with its author and the identifiers of its models"
  }
}
