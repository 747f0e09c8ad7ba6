/// The result of a fetch in batches: models, or their identifiers, which are read when they are accessed.
///
/// The fetch determines which models the collection has and in which order. The collection keeps the keys of the
/// models, those of a large result in a temporary file, and the two batches of models that were accessed last. So its
/// memory does not grow with the size of a large result. The collection belongs to the isolation of its context, and
/// keeps the context alive.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  private let elements: FetchedElements<Element>

  init(_ elements: FetchedElements<Element>) {
    self.elements = elements
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { elements.count }

  /// The element at a position.
  ///
  /// The position must be a valid index of the collection. Accessing a model reads its batch, unless that is one of the
  /// two that were accessed last. A model whose row was deleted since the fetch has default values.
  ///
  /// An access cannot throw. When reading fails, the next fetch or save of the context throws the error, and the next
  /// access to the position tries again. Until then the element is a model whose row is read when a property is
  /// accessed, or, if even its key cannot be read, a model without a row. An identifier that cannot be read is replaced
  /// by one that belongs to no model.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "The position is beyond the end of the collection")
    return elements.element(at: position)
  }
}

/// The source of a collection's elements: one of the two subclasses, which override every method.
class FetchedElements<Element> {
  var count: Int { 0 }
  func element(at position: Int) -> Element { preconditionFailure("overridden") }
}

/// The identifiers of rows.
final class FetchedIdentifiers: FetchedElements<PersistentIdentifier> {
  private let rows: FetchedRows
  private let context: ModelContext
  /// The identifier that stands for a row that cannot be read.
  private let missing: PersistentIdentifier

  init(_ rows: FetchedRows, _ context: ModelContext, _ binding: EntityBinding) {
    self.rows = rows
    self.context = context
    missing = context.graph.identifier(of: RowKey(key: 0, entity: binding.ordinal))
  }

  override var count: Int { rows.count }

  override func element(at position: Int) -> PersistentIdentifier {
    var identifier = missing
    context.graph.alone {
      _ = context.graph.attempt("reading identifiers") {
        identifier = context.graph.identifier(of: try rows.row(at: position))
      }
    }
    return identifier
  }
}

/// The models of rows, read a batch at a time.
final class FetchedModels<Model: PersistentModel>: FetchedElements<Model> {
  private let rows: FetchedRows
  private let context: ModelContext
  private let descriptor: FetchDescriptor<Model>
  private let batchSize: Int
  /// The last two batches, so that going back and forth across the end of a batch reads none twice.
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
