/// The identifiers of rows.
final class FetchedIdentifiers: FetchedElements<PersistentIdentifier> {
  private let rows: FetchedRows
  private let context: ModelContext
  /// The identifier for a row that cannot be read.
  private let missing: PersistentIdentifier

  init(_ rows: FetchedRows, _ context: ModelContext, _ binding: EntityBinding) {
    self.rows = rows
    self.context = context
    missing = context.graph.identifier(of: RowKey(key: 0, entity: binding.ordinal))
  }

  override var count: Int { rows.count }

  override func element(at position: Int) -> PersistentIdentifier {
    var identifier = missing
    context.graph.exclusively {
      _ = context.graph.attempt("reading identifiers") {
        identifier = context.graph.identifier(of: try rows.row(at: position))
      }
    }
    return identifier
  }
}
