extension DataStoreConformance {
  /// A promise that the suite checks.
  public enum Promise: CaseIterable, Sendable, CustomStringConvertible {
    /// Inserted models are in the store after the save.
    case insertion
    /// The save gives each inserted model a unique, permanent identifier, which finds its row.
    case identifiers
    /// Updated models have their new values after the save.
    case update
    /// Deleted models are not in the store after the save, and others are.
    case deletion
    /// Attributes of all types keep their values.
    case attributes
    /// A fetch returns the models that its predicate selects, and no others.
    case predicates
    /// A fetch returns models in the order of its sort descriptors.
    case sorting
    /// A fetch skips fetchOffset models and returns at most fetchLimit models.
    case limits
    /// fetchCount counts the models that the fetch returns.
    case counts
    /// fetchIdentifiers returns the identifiers of the models that the fetch returns.
    case fetchedIdentifiers
    /// A to-one relationship keeps its target.
    case toOne
    /// A to-many relationship keeps its members.
    case toMany
    /// A many-to-many relationship keeps the members of both sides.
    case manyToMany
    /// Delete rules that the context applies reach the store.
    case deleteRules
    /// A context sees the saved changes of another context of the container.
    case severalContexts
    /// Updates of different models by two contexts are both kept.
    case separateUpdates
    /// Saves of several tasks are all kept.
    case concurrentSaves
    /// A save that fails writes nothing, and its changes can be saved later.
    case failedSave
    /// A deletion by predicate deletes the models that it selects, and no others.
    case deletionByPredicate
    /// An erased store is empty, and can be written again.
    case erasure
    /// A second container finds the saved models, under the same identifiers.
    case reopening
    /// An inserted model with the unique values of a row becomes that row.
    case uniqueness
    /// The history has each save, with its author and the identifiers of its models.
    case history

    /// The promise as a sentence.
    public var description: String {
      switch self {
      case .insertion: "Inserted models are in the store after the save"
      case .identifiers: "The save gives each inserted model a unique, permanent identifier, which finds its row"
      case .update: "Updated models have their new values after the save"
      case .deletion: "Deleted models are not in the store after the save, and others are"
      case .attributes: "Attributes of all types keep their values"
      case .predicates: "A fetch returns the models that its predicate selects, and no others"
      case .sorting: "A fetch returns models in the order of its sort descriptors"
      case .limits: "A fetch skips fetchOffset models and returns at most fetchLimit models"
      case .counts: "fetchCount counts the models that the fetch returns"
      case .fetchedIdentifiers: "fetchIdentifiers returns the identifiers of the models that the fetch returns"
      case .toOne: "A to-one relationship keeps its target"
      case .toMany: "A to-many relationship keeps its members"
      case .manyToMany: "A many-to-many relationship keeps the members of both sides"
      case .deleteRules: "Delete rules that the context applies reach the store"
      case .severalContexts: "A context sees the saved changes of another context of the container"
      case .separateUpdates: "Updates of different models by two contexts are both kept"
      case .concurrentSaves: "Saves of several tasks are all kept"
      case .failedSave: "A save that fails writes nothing, and its changes can be saved later"
      case .deletionByPredicate: "A deletion by predicate deletes the models that it selects, and no others"
      case .erasure: "An erased store is empty, and can be written again"
      case .reopening: "A second container finds the saved models, under the same identifiers"
      case .uniqueness: "An inserted model with the unique values of a row becomes that row"
      case .history: "The history has each save, with its author and the identifiers of its models"
      }
    }
  }
}
