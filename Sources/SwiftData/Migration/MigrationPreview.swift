/// The steps that opening stores would run to bring them to a schema.
///
/// The first step is exact for the store as it is. Later steps are estimates from the same rows: the preview follows values
/// and rows through renamed tables and columns, and through moves between tables. It does not know the effects of code.
///
/// ``MigrationInspector/preview()`` makes a preview. An addition of OpenSwiftData.
public struct MigrationPreview: Sendable, CustomStringConvertible {
  /// The steps; empty when the stores have the schema.
  public internal(set) var steps: [MigrationStep]
  /// The size in bytes of the stores that the migration copies before the first step: 0 when it changes the tables in place.
  ///
  /// A migration copies the stores when a stage has code, or when several stores change. The size is that of the files now.
  public internal(set) var copiedByteCount: Int64

  /// The issues of all steps. Code of the plan may remove some of them: see ``MigrationStep/followsCode``.
  public var issues: [SwiftDataError.Issue] { steps.flatMap(\.issues) }

  /// The steps, one after the other, with their SQL.
  public var description: String {
    if steps.isEmpty { return "No migration is needed." }
    let copies = copiedByteCount > 0 ? ["on a copy of \(copiedByteCount) bytes"] : []
    return (copies + steps.map(\.description)).joined(separator: "\n")
  }
}
