import Relational

/// Finds dangling references that a migration creates when it rebuilds tables or restores values.
///
/// References that dangled before do not make a store unusable, so they are counted before the tables change and
/// afterwards.
struct ReferenceCheck {
  private struct Path: Hashable {
    var table: String
    var target: String
  }

  /// The tables to check, with their names before the migration.
  private var tables: [(table: TableDefinition, previous: String)] = []
  private var counts: [Path: Int] = [:]

  /// Counts the dangling references before the migration.
  ///
  /// - Parameter new: All tables after the steps.
  init(_ steps: [LayoutChange], _ new: [TableDefinition], _ connection: any Connection) throws {
    let written = Set(steps.compactMap(\.writtenTable))
    if written.isEmpty { return }
    let existing = try connection.tableNames()
    let previousNames = steps.reduce(into: [String: String]()) { names, step in
      if case .renameTable(let from, let to) = step { names[to] = names.removeValue(forKey: from) ?? from }
    }
    let created = Set(
      steps.compactMap { step -> String? in if case .createTable(let table) = step { table.name } else { nil } })
    for table in new {
      let targets = table.columns.compactMap { $0.references?.table }
      guard written.contains(table.name) || !written.isDisjoint(with: targets) else { continue }
      let previous = previousNames[table.name] ?? table.name
      tables.append((table, previous))
      guard !created.contains(table.name), existing.contains(previous) else { continue }
      for dangling in try connection.danglingReferences(of: previous) {
        counts[Path(table: table.name, target: dangling.target), default: 0] += dangling.count
      }
    }
  }

  /// - Throws: `SwiftDataError` when more references dangle than before.
  func finish(_ connection: any Connection) throws {
    var issues: [SwiftDataError.Issue] = []
    for (table, _) in tables {
      let found = Dictionary(grouping: try connection.danglingReferences(of: table.name), by: \.target)
      for (target, dangling) in found.sorted(by: { $0.key < $1.key }) {
        let count = dangling.reduce(0) { $0 + $1.count }
        guard count > counts[Path(table: table.name, target: target)] ?? 0 else { continue }
        issues += dangling.map { dangling in
          let column = table.columns.first { $0.name == dangling.column }
          return SwiftDataError.Issue(
            entity: column?.owner ?? table.name, property: column?.sourceName ?? dangling.column,
            message: "\(dangling.count) rows would refer to missing rows of \(target).")
        }
      }
    }
    guard issues.isEmpty else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "Migrating to the schema would leave dangling references.",
        hint: "The store was not changed. Please report this, with the schemas of both versions.", issues: issues)
    }
  }
}

extension LayoutChange {
  /// The table whose rows the step rewrites, or whose references it sets.
  fileprivate var writtenTable: String? {
    switch self {
    case .rebuildTable(let table), .changeDeleteRules(let table): table.name
    case .restore(let values): values.table
    case .writeLinks(let links): links.new.table
    default: nil
    }
  }
}
