/// The route of a migration, from the schema of a store to the one that it is opened with.
struct StoreRoute {
  /// A schema of the route before the last one.
  struct Stop {
    let schema: Schema
    /// The positions in the schema of the entities in the store.
    let entities: [Int]
    let loss: Loss
  }

  /// The data that a migration from one schema to the next may remove.
  enum Loss: Hashable {
    /// Nothing: neither a plan nor the caller allows it.
    case nothing
    /// The models with these names: a plan names both schemas, and the next one lacks the models.
    case removedModels(Set<String>)

    /// The names of the models that may be removed.
    var removedModels: Set<String> {
      if case .removedModels(let names) = self { names } else { [] }
    }
  }

  /// The hash of the schema that the route starts from; nil if it may be any.
  var origin: String?
  /// The schemas before the last one, in their order.
  var stops: [Stop] = []
  /// The data that the migration to the last schema may remove.
  var loss = Loss.nothing

  static let direct = StoreRoute()
}
