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
    let positions = start..<min(start + batchSize, count)
    let graph = context.graph
    var models: [Model] = []
    let isRead = graph.alone {
      graph.attempt("reading a batch") {
        let rows = try rows.rows(at: positions)
        do {
          models = try graph.models(rows, descriptor)
        } catch {
          // The models read their rows themselves when they are touched.
          models = try graph.faults(rows, of: Model.self)
          throw error
        }
      }
    }
    let model = models.isEmpty ? Model.makePlaceholder() : models[position - start]
    // What could not be read is read again the next time.
    guard isRead else { return model }
    if batches.count > 1 { batches.removeFirst() }
    batches.append((index, models))
    return model
  }
}
