/// One step of a migration, from one version of the schema to the next.
///
/// ``MigrationInspector/preview()`` predicts the steps of a migration, and ``MigrationInspector/rehearse()`` measures them.
/// An addition of OpenSwiftData.
public struct MigrationStep: Sendable, CustomStringConvertible {
  /// The stage of a step.
  public enum Kind: String, Sendable {
    /// A stage of the plan without code.
    case lightweight
    /// A stage of the plan with code, whose effects a preview does not know.
    case custom
    /// No stage: the step follows from the difference between the schemas.
    case inferred
  }

  /// A change of tables, or of their contents.
  public struct Change: Sendable, CustomStringConvertible {
    /// A description of the change.
    public internal(set) var summary: String
    /// The SQL statements, except for statements that depend on the values of rows.
    public internal(set) var sql: [String]
    /// The number of rows that the change reads or writes: 0 when its duration does not depend on the number of rows, and
    /// `nil` when the store lacks the table.
    ///
    /// The number is exact for tables of the store in the first step. Otherwise it is an estimate: for a table that an
    /// earlier step creates, it is the number of rows that the earlier steps move to it at most.
    public internal(set) var rowCount: Int?
    /// Whether the change copies all rows of the table to a new table.
    public internal(set) var copiesTable: Bool

    public var description: String {
      let rows = rowCount.map { $0 == 0 ? "" : " (\($0) rows\(copiesTable ? ", copied" : ""))" } ?? ""
      return ([summary + rows] + sql.map { "  \($0)" }).joined(separator: "\n")
    }
  }

  /// What the step runs beside the changes of tables.
  public internal(set) var kind: Kind
  /// The name and number of the version before the step.
  public internal(set) var fromVersion: String
  /// The name and number of the version after the step.
  public internal(set) var toVersion: String
  /// The changes of tables as a preview predicts them, by the names of the configurations.
  public internal(set) var changes: [String: [Change]]
  /// The reasons why the step would fail: differences that a migration cannot infer, and rows that violate the new version,
  /// for example with duplicate values. A rehearsal throws them, so its steps have none.
  public internal(set) var issues: [SwiftDataError.Issue]
  /// Whether code of the plan runs before the tables change in this step: its own `willMigrate`, or an earlier stage.
  /// The code may remove the reasons of `issues`.
  public internal(set) var followsCode: Bool
  /// The duration of the step in a rehearsal; `nil` in a preview.
  public internal(set) var duration: Duration?

  /// The versions, the time, the changes with their SQL, and the issues, in several lines.
  public var description: String {
    var lines = ["\(kind.rawValue): from \(fromVersion) to \(toVersion)" + (duration.map { " in \($0)" } ?? "")]
    for (store, changes) in changes.sorted(by: { $0.key < $1.key }) where !changes.isEmpty {
      lines.append("  \(store):")
      lines += changes.flatMap { $0.description.split(separator: "\n").map { "    \($0)" } }
    }
    let condition = followsCode ? ", unless code of the plan resolves it" : ""
    lines += issues.map { "  issue\(condition): \($0)" }
    return lines.joined(separator: "\n")
  }
}
