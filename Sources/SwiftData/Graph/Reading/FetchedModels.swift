/// The models of rows, read a batch at a time.
final class FetchedModels<Model: PersistentModel>: FetchedElements<Model> {
  private let rows: any RowList
  /// The models that have no row yet, by their keys.
  private let unsaved: [Int64: Model]
  private let keepsRead: Bool
  private let context: ModelContext
  private let descriptor: FetchDescriptor<Model>
  private let batchSize: Int
  /// The last two batches: whoever goes back and forth where one ends and the next begins reads none twice.
  private var batches: [(index: Int, models: [Model])] = []

  /// - Parameter keepsRead: Whether models that are in memory are not read again.
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
          // The models read their rows themselves when they are touched.
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
    // What could not be read is read again the next time.
    guard isRead else { return model }
    if batches.count > 1 { batches.removeFirst() }
    batches.append((index, models))
    return model
  }

  override func rowKeys(at positions: Range<Int>) -> (container: ObjectIdentifier, rows: [RowKey])? {
    (try? rows.rows(at: positions)).map { (ObjectIdentifier(context.graph.core), $0) }
  }
}
