/// Finds inserted models by the value of an attribute, for programs that search for each record of a file before inserting
/// one: without an index, evaluating the predicate for all inserted models would take quadratic time.
///
/// It maps hashes of values to positions in the journal's list. It may also find models that have another value by now: the
/// caller evaluates the predicate for each.
final class InsertedIndex {
  /// The number of inserted models from which an index is worth its memory.
  static let minimumCount = 32

  private struct Table {
    let attribute: AnyKeyPath
    let property: UInt64
    /// The positions before this are in the table.
    var end = 0
    var positions: [Int: [Int]] = [:]
    var count = 0
    /// Positions of models that were changed since.
    var changed: [Int] = []

    /// Whether it has more previous values than current ones.
    var isWorn: Bool { changed.count > end || count > 2 * end }

    mutating func add(_ hashes: [(position: Int, hash: Int)], end: Int) {
      for (position, hash) in hashes { positions[hash, default: []].append(position) }
      count += hashes.count
      changed = []
      self.end = end
    }
  }

  private var tables: [Table] = []
  /// The generation of the list that the positions belong to.
  let generation: Int

  init(generation: Int) {
    self.generation = generation
  }

  /// Records that a property of a model was set.
  func recordChange(of model: any PersistentModel, properties: UInt64) {
    guard model._$withState({ $0.status }) == .pending else { return }
    let position = model._$withState { Int($0.listPosition) }
    for index in tables.indices where tables[index].property & properties != 0 && position < tables[index].end {
      if tables[index].changed.last != position { tables[index].changed.append(position) }
    }
    tables.removeAll(where: \.isWorn)
  }

  /// The inserted models that may have the value that a predicate demands, in the order of their insertion.
  ///
  /// - Parameters:
  ///   - property: The property, in the format of `_ModelState.dirty`.
  ///   - end: The number of positions in the list.
  ///   - model: The model at a position, if it is of the class.
  func models<Model: PersistentModel>(
    meeting demand: EqualityDemand, of property: UInt64, before end: Int, at model: (Int) -> Model?
  ) -> [Model] {
    tables.removeAll(where: \.isWorn)
    if !tables.contains(where: { $0.attribute == demand.attribute }) {
      tables.append(Table(attribute: demand.attribute, property: property))
    }
    guard let index = tables.firstIndex(where: { $0.attribute == demand.attribute }) else { return [] }
    let unread = Array(tables[index].end..<end) + tables[index].changed
    let hashes = unread.compactMap { position in model(position).map { (position, demand.read($0)) } }
    tables[index].add(hashes, end: end)
    return Set(tables[index].positions[demand.hash] ?? []).sorted().compactMap(model)
  }
}
