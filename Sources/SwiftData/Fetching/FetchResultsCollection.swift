/// What a fetch in batches gives: models, or their identifiers, that are read when somebody asks for them.
///
/// Which models there are and in which order is settled by the fetch; what the collection keeps of each is its key, and
/// the batches that were asked for last. It belongs to the isolation of its context, which it keeps alive.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  private let elements: FetchedElements<Element>

  init(_ elements: FetchedElements<Element>) {
    self.elements = elements
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { elements.count }

  /// The element at a position.
  ///
  /// Reading a batch of models cannot throw here: a failure is thrown by the context's next fetch or save, and the models
  /// of the batch have default values until then. So has a model whose row was deleted since the fetch.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "The position is beyond the end of the collection")
    return elements.element(at: position)
  }
}

/// Where a collection has its elements from.
class FetchedElements<Element> {
  var count: Int { 0 }
  func element(at position: Int) -> Element { preconditionFailure("overridden") }
}

/// The identifiers of rows.
final class FetchedIdentifiers: FetchedElements<PersistentIdentifier> {
  private let rows: FetchedRows
  private let context: ModelContext

  init(_ rows: FetchedRows, _ context: ModelContext) {
    self.rows = rows
    self.context = context
  }

  override var count: Int { rows.count }

  override func element(at position: Int) -> PersistentIdentifier {
    let row = rows[position]
    let binding = context.bindingsByOrdinal[row.entity]
    return PersistentIdentifier(store: binding.store, entity: binding.runtime.entityName, key: row.key)
  }
}

/// The models of rows, read a batch at a time.
final class FetchedModels<Model: PersistentModel>: FetchedElements<Model> {
  private let rows: FetchedRows
  private let context: ModelContext
  private let descriptor: FetchDescriptor<Model>
  private let batchSize: Int
  /// The last two batches: whoever goes back and forth where one ends and the next begins reads none twice.
  private var batches: [(index: Int, models: [Model])] = []

  init(_ rows: FetchedRows, _ context: ModelContext, _ descriptor: FetchDescriptor<Model>, batchSize: Int) {
    self.rows = rows
    self.context = context
    self.descriptor = descriptor
    self.batchSize = batchSize
  }

  override var count: Int { rows.count }

  override func element(at position: Int) -> Model {
    let index = position / batchSize
    let start = index * batchSize
    if let batch = batches.last(where: { $0.index == index }) { return batch.models[position - start] }
    if batches.count > 1 { batches.removeFirst() }
    let models = context.models(rows[start..<min(start + batchSize, count)], descriptor)
    batches.append((index, models))
    return models[position - start]
  }
}

/// The rows that a fetch found, in its order.
struct FetchedRows {
  private let keys: [Int64]
  /// The positions of the rows' entities in the schema: one for all, or as many as there are rows.
  private let entities: [Int32]

  init(_ rows: [RowKey]) {
    keys = rows.map(\.key)
    let first = rows.first?.entity
    entities = rows.contains { $0.entity != first } ? rows.map { Int32($0.entity) } : first.map { [Int32($0)] } ?? []
  }

  var count: Int { keys.count }

  subscript(position: Int) -> RowKey {
    RowKey(key: keys[position], entity: Int(entities.count == 1 ? entities[0] : entities[position]))
  }

  subscript(positions: Range<Int>) -> [RowKey] {
    positions.map { self[$0] }
  }
}
