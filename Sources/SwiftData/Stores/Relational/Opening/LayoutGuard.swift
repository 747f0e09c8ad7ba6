import Relational
import Support

/// Notices that somebody has given tables of an open store another meaning: another program, say, that has a later version
/// of the schema. What is read or written by the old one would be taken for something else.
final class LayoutGuard: Sendable {
  /// The tables as this store was opened with them.
  private let tables: [TableDefinition]
  private let dialect: any Dialect
  private let identifierQuery: RenderedStatement
  /// The functions that indexes may have.
  private let functions: Set<String>
  private let known: Mutex<Known>

  private struct Known {
    var layoutIdentifier: String?
    /// The connection's number for the time in which it has been the only one that wrote.
    var generation: UInt64?
    /// A function that an index has and this process lacks.
    var missingFunction: String?
    /// A property whose texts have one form by now, which this store would not give them.
    var normalizedProperty: String?
  }

  /// - Parameter metadata: What the store said about itself when it was ready.
  init(_ layout: StoreLayout, _ metadata: StoreMetadata, _ dialect: any Dialect) {
    tables = layout.tables
    functions = Set(layout.sorting.functions.map(\.name))
    self.dialect = dialect
    identifierQuery = dialect.render(StoreMetadata.layoutIdentifierQuery)
    known = Mutex(Known(layoutIdentifier: metadata.layoutIdentifier))
  }

  /// Looks at the store in a transaction that writes, unless nobody else has written to it since the last time.
  ///
  /// - Throws: `SwiftDataError` when the tables mean something else by now, have indexes by other rules, or have unique
  ///   texts where this store knows of none.
  func checkForWriting(_ connection: any Connection) throws {
    let generation = connection.writeGeneration
    if known.withLock({ $0.generation == generation }) { return }
    try check(connection)
    let (function, property) = known.withLock { ($0.missingFunction, $0.normalizedProperty) }
    if let function {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: """
          The indexes by which texts are sorted were made anew since the store was opened, by a program with another \
          locale or release: they have the function \(function), which is not known here.
          """,
        hint: "Make a new ModelContainer, and let programs that share a store have one locale. Nothing was written.")
    }
    if let property {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: """
          The texts of \(property) became unique values since the store was opened, by a program with another schema: \
          those that Swift takes for equal are the same bytes by now.
          """,
        hint: "Make a new ModelContainer with a schema in which they are unique. Nothing was written.")
    }
    known.withLock { $0.generation = generation }
  }

  /// Looks at the store.
  ///
  /// - Throws: As `checkForWriting`.
  func check(_ connection: any Connection) throws {
    var identifier: String?
    try connection.forEachRow(identifierQuery) { identifier = $0.text(0) }
    if known.withLock({ $0.layoutIdentifier == identifier }) { return }
    let found = try StoreMetadata(reading: connection, dialect)?.layout() ?? []
    let byName = Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
    guard tables.allSatisfy({ byName[$0.name]?.serves($0) == true }) else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store was given another schema since it was opened.",
        hint: "Make a new ModelContainer. Nothing was read or written.")
    }
    let used = found.flatMap(\.indexes).compactMap(\.functions).joined().compactMap { $0 }
    let missing = used.first { !functions.contains($0) }
    let property = tables.lazy.compactMap { byName[$0.name]?.normalizedProperty(unknownTo: $0) }.first
    known.withLock {
      ($0.layoutIdentifier, $0.missingFunction, $0.normalizedProperty) = (identifier, missing, property)
    }
  }
}

extension TableDefinition {
  /// Whether somebody who knows the table as `other` reads and writes what the same names mean here.
  fileprivate func serves(_ other: TableDefinition) -> Bool {
    let byName = Dictionary(columns.map { ($0.name, $0) }) { first, _ in first }
    let links = other.relationships ?? [:]
    return links.allSatisfy { relationships?[$0.key] == $0.value }
      && other.columns.allSatisfy { column in byName[column.name].map { $0.serves(column) } ?? false }
  }

  /// A property whose texts have one form here, and any for somebody who knows the table as `other`.
  fileprivate func normalizedProperty(unknownTo other: TableDefinition) -> String? {
    let known = Set(other.columns.filter { $0.isNormalized != true }.map(\.name))
    return columns.first { $0.isNormalized == true && known.contains($0.name) }
      .map { "\($0.owner ?? name).\($0.property?.name ?? $0.name)" }
  }
}

extension TableDefinition.Column {
  fileprivate func serves(_ other: Self) -> Bool {
    means(other) && originalName == other.originalName && owner == other.owner && isPart(ofPropertyOf: other)
      && references?.table == other.references?.table
      // What says nothing of files is of an earlier release.
      && (namesFiles == other.namesFiles || namesFiles == nil || other.namesFiles == nil)
  }

  /// Whether both have the same part of one property; where one does not say, its name has to do.
  private func isPart(ofPropertyOf other: Self) -> Bool {
    guard let property, let others = other.property else { return true }
    return property.name == others.name && property.part == others.part
  }
}
