/// The error for stores that have no version of a plan, with the differences from the nearest version.
struct UnknownVersion {
  let map: MigrationMap
  let stores: [UnopenedStore]

  /// The maximum number of differences that the error lists.
  private static let limit = 20

  var error: SwiftDataError {
    let plan = Schema.qualifiedName(of: map.plan)
    let versions = map.versions.map(\.name).joined(separator: ", ")
    let nearest = nearest
    var message = "The store has no version of \(plan), which has \(versions)."
    if let nearest, !nearest.issues.isEmpty { message += " The nearest version is \(nearest.version.name)." }
    if !map.equalVersions.isEmpty {
      message += " Of equal shape are \(map.equalVersions.map(\.name).joined(separator: "; "))."
    }
    return SwiftDataError.loadIssueModelContainer.with(
      message: message,
      hint: """
        A released version must not change: undo the changes in it, or add a VersionedSchema with the \
        models that the store has, and a stage from it. The store was not changed.
        """,
      issues: Array((nearest?.issues ?? []).prefix(Self.limit)))
  }

  private var nearest: (version: MigrationMap.Version, issues: [SwiftDataError.Issue])? {
    let entities = stores.compactMap(\.schema).flatMap(\.entities)
    guard !entities.isEmpty else { return nil }
    return map.versions.map { (version: $0, issues: SchemaDifference.issues(of: entities, beside: $0.schema)) }
      .min { $0.issues.count < $1.issues.count }
  }
}
