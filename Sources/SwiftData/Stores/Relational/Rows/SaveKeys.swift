/// The keys of the rows that a save writes: existing keys, and new keys of inserted models.
final class SaveKeys {
  private let plan: SavePlan
  /// By the position in the plan's list of inserted models; zero until assigned.
  // Exclusivity is unchecked, because no other code runs during an access.
  @exclusivity(unchecked) private(set) var inserted: [Int64]
  /// The inserted models that are merged into existing rows, by their positions, with the rows.
  private(set) var merged: [Int: RowKey] = [:]

  init(_ plan: SavePlan) {
    self.plan = plan
    inserted = Array(repeating: 0, count: plan.inserts.count)
  }

  func assign(_ key: Int64, to index: Int) {
    inserted[index] = key
  }

  /// Gives an inserted model the key of a row that has its unique values.
  func merge(_ index: Int, into row: RowKey) {
    inserted[index] = row.key
    merged[index] = row
  }

  /// The row that an inserted model is merged into.
  @inline(__always)
  func mergedRow(_ index: Int) -> RowKey? {
    merged.isEmpty ? nil : merged[index]
  }

  /// The row that an inserted model is merged into.
  func mergedRow(of model: any PersistentModel) -> RowKey? {
    merged.isEmpty ? nil : plan.index(ofInserted: model).flatMap { merged[$0] }
  }

  /// The key of a model's row; nil for a model without a row that this save does not insert.
  func key(of model: any PersistentModel) -> Int64? {
    if let index = plan.index(ofInserted: model) { return inserted[index] }
    // A model of another context has no row in this plan.
    return model._$withState {
      $0.status == .persistent && $0.key > 0 && $0.graphIdentity == plan.graph ? $0.key : nil
    }
  }

  /// The key of a model's row, also of one that this save deletes.
  func previousKey(of model: any PersistentModel) -> Int64? {
    if let key = key(of: model) { return key }
    return model._$withState {
      $0.status == .deleted && $0.key > 0 && $0.graphIdentity == plan.graph ? $0.key : nil
    }
  }

  /// The positions of the inserted models by their temporary keys.
  private lazy var positions: [Int64: Int] = {
    let keys = plan.inserts.enumerated().map { (position, model) in (model._$withState { $0.key }, position) }
    return Dictionary(keys) { first, _ in first }
  }()

  /// Whether the key of an inserted model was needed before it was assigned.
  private(set) var wasReadTooEarly = false

  /// The inserted model with a temporary key, and the key of its row; zero before that is assigned.
  func insertion(withTemporaryKey key: Int64) -> (model: any PersistentModel, key: Int64)? {
    guard let position = positions[key] else { return nil }
    if inserted[position] == 0 { wasReadTooEarly = true }
    return (plan.inserts[position], inserted[position])
  }

  /// The key of a row that this save adds; nil for models merged into existing rows.
  func newKey(of model: any PersistentModel) -> Int64? {
    guard let index = plan.index(ofInserted: model), mergedRow(index) == nil else { return nil }
    return inserted[index]
  }
}
