/// What opening a store would do to bring it to a schema, found out without changing anything.
///
/// The first step is told by the store as it is. What is told of later ones is an estimate that goes by the same rows:
/// values and rows are followed through new names of tables and columns, and through moves from table to table. What code
/// of stages does to them is not known.
///
/// Made by ``ModelContainer/migrationPreview(for:migrationPlan:configurations:)``. An addition of OpenSwiftData.
public struct MigrationPreview: Sendable, CustomStringConvertible {
  /// A change of tables, or of what is in them.
  public struct Change: Sendable, CustomStringConvertible {
    /// What is done, in words.
    public var summary: String
    /// The statements, without those that depend on the values of rows.
    public var sql: [String]
    /// How many rows are read or written; zero when the change takes no longer for many rows, and `nil` when the store
    /// lacks the table that it should have. Exact for tables of the store in the first step, and an estimate otherwise:
    /// a table that is made on the way has as many rows as are moved to it at most.
    public var rowCount: Int?
    /// Whether a table is written anew as a whole.
    public var copiesTable: Bool

    public var description: String {
      let rows = rowCount.map { $0 == 0 ? "" : " (\($0) rows\(copiesTable ? ", copied" : ""))" } ?? ""
      return ([summary + rows] + sql.map { "  \($0)" }).joined(separator: "\n")
    }
  }

  /// What a step of the way runs beside the changes of tables.
  public enum Kind: String, Sendable {
    /// A stage of the plan without code.
    case lightweight
    /// A stage of the plan with code, whose effects nobody can know before it has run.
    case custom
    /// No stage: what follows from the difference alone.
    case inferred
  }

  /// One step of the way.
  public struct Step: Sendable, CustomStringConvertible {
    public var kind: Kind
    /// The version before and after the step, with their numbers.
    public var from: String
    public var to: String
    /// The changes of tables, by the names of configurations.
    public var changes: [String: [Change]]
    /// What stands in the way of this step: what the two versions alone do not allow, and what rows that the store has
    /// now are in the way of, values that would repeat among it.
    public var issues: [SwiftDataError.Issue]
    /// Whether code of the plan runs before the tables change in this step, its own `willMigrate` or a stage before it.
    /// Then `issues` tells what the code has to see to, and what it may have seen to by then.
    public var followsCode: Bool

    public var description: String {
      var lines = ["\(kind.rawValue): from \(from) to \(to)"]
      for (store, changes) in changes.sorted(by: { $0.key < $1.key }) where !changes.isEmpty {
        lines.append("  \(store):")
        lines += changes.flatMap { $0.description.split(separator: "\n").map { "    \($0)" } }
      }
      let condition = followsCode ? ", unless code of the plan sees to it" : ""
      lines += issues.map { "  in the way\(condition): \($0)" }
      return lines.joined(separator: "\n")
    }
  }

  /// The steps; empty when the stores have the schema.
  public var steps: [Step]
  /// How many bytes of stores are copied before the first step, as they are where a stage has code, or where several
  /// stores change; zero when the tables change in place. It is the size of the files now.
  public var copiedByteCount: Int64

  /// What stands in the way of any step, also where code of the plan may see to it: see ``Step/followsCode``.
  public var issues: [SwiftDataError.Issue] { steps.flatMap(\.issues) }

  /// The steps, one after the other, with their SQL.
  public var description: String {
    if steps.isEmpty { return "Nothing has to be done." }
    let copies = copiedByteCount > 0 ? ["on a copy of \(copiedByteCount) bytes"] : []
    return (copies + steps.map(\.description)).joined(separator: "\n")
  }
}
