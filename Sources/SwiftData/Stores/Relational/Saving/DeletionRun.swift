/// Successive deletions of rows of one entity in a plan.
struct DeletionRun {
  /// The position of the entity in the schema.
  let entity: Int
  /// The positions of the models in the plan.
  let positions: Range<Int>
  let keys: [Int64]

  static func runs(of models: [any PersistentModel], _ layout: StoreLayout) -> [DeletionRun] {
    if models.isEmpty { return [] }
    var runs: [DeletionRun] = []
    var keys: [Int64] = []
    var entity: Int?
    var start = 0
    func end(at position: Int) {
      if let entity { runs.append(DeletionRun(entity: entity, positions: start..<position, keys: keys)) }
      (start, keys) = (position, [])
    }
    for (position, model) in models.enumerated() {
      let (key, bound) = model._$withState { ($0.key, $0.withBinding { $0.ordinal }) }
      let ordinal = bound ?? layout.layout(of: model).ordinal
      if ordinal != entity {
        end(at: position)
        entity = ordinal
      }
      keys.append(key)
    }
    end(at: models.count)
    return runs
  }
}
