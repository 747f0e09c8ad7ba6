/// How a store that has another schema comes to the one that it is opened with.
struct StoreRoute {
  /// A schema on the way.
  struct Stop {
    let schema: Schema
    /// The positions in the schema of the entities that the store holds.
    let entities: [Int]
    let loss: Loss
  }

  /// What may be lost on the way from one schema to the next.
  enum Loss: Hashable {
    /// Nothing: nobody has said that it is to go.
    case nothing
    /// The models of these names: a plan names both schemas, and the next one lacks them.
    case removedModels(Set<String>)

    /// The names of the models that may go.
    var removedModels: Set<String> {
      if case .removedModels(let names) = self { names } else { [] }
    }
  }

  /// The hash of the schema that the store has to have for this to be its way; nil where it may have any.
  var origin: String?
  /// The schemas before the last one, in their order.
  var stops: [Stop] = []
  /// What may be lost on the way to the last one.
  var loss = Loss.nothing

  static let direct = StoreRoute()
}
