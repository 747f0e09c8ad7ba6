/// The models of rows, read in batches.
final class FetchedModels<Model: PersistentModel>: FetchedElements<Model> {
  private let rows: any RowList
  /// The unsaved models, by their temporary keys.
  private let unsaved: [Int64: Model]
  private let keepsRead: Bool
  private let context: ModelContext
  private let descriptor: FetchDescriptor<Model>
  private let batchSize: Int
  /// The last two batches, so that going back and forth across a boundary reads none twice.
  private var batches: [(index: Int, models: [Model])] = []

  /// - Parameter keepsRead: Whether models in memory are not read again.
  init(
    _ rows: any RowList, unsaved: [Int64: Model] = [:], _ context: ModelContext, _ descriptor: FetchDescriptor<Model>,
    batchSize: Int, keepsRead: Bool = false
  ) {
    self.rows = rows
    self.unsaved = unsaved
    self.keepsRead = keepsRead
    self.context = context
    self.descriptor = descriptor
    self.batchSize = batchSize
  }

  override var count: Int { rows.count }

  override func element(at position: Int) -> Model {
    let index = position / batchSize
    let start = index * batchSize
    if let batch = batches.last(where: { $0.index == index }) { return batch.models[position - start] }
    let positions = start..<min(start + batchSize, count)
    let graph = context.graph
    var models: [Model] = []
    let isRead = graph.exclusively {
      graph.attempt("reading a batch") {
        let rows = try rows.rows(at: positions)
        let saved = unsaved.isEmpty ? rows : rows.filter { unsaved[$0.key] == nil }
        var failure: (any Error)?
        do {
          models = try graph.models(saved, descriptor, keepingRead: keepsRead)
        } catch {
          // The models are faults, which read their rows separately.
          models = try graph.faults(saved, of: Model.self)
          failure = error
        }
        if saved.count < rows.count {
          var others = models.makeIterator()
          models = rows.map { unsaved[$0.key] ?? others.next() ?? Model.makePlaceholder() }
        }
        if let failure { throw failure }
      }
    }
    let model = models.isEmpty ? Model.makePlaceholder() : models[position - start]
    // A batch that could not be read is not cached.
    guard isRead else { return model }
    if batches.count > 1 { batches.removeFirst() }
    batches.append((index, models))
    return model
  }

  override func rowKeys(at positions: Range<Int>) -> (container: ObjectIdentifier, rows: [RowKey])? {
    (try? rows.rows(at: positions)).map { (ObjectIdentifier(context.graph.core), $0) }
  }
}
