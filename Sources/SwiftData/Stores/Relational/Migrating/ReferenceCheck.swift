import Relational

/// Finds references that lead nowhere because tables were made anew, or because values came back.
///
/// What led nowhere before is no reason to refuse a store that was opened with it so far, so rows are counted before the
/// tables change and afterwards.
struct ReferenceCheck {
  private struct Path: Hashable {
    var table: String
    var target: String
  }

  /// The tables to look at, with the names that they have before.
  private var tables: [(table: TableDefinition, previous: String)] = []
  private var counts: [Path: Int] = [:]

  /// Counts what leads nowhere so far.
  ///
  /// - Parameter new: All tables as the steps leave them.
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
      for broken in try connection.brokenReferences(of: previous) {
        counts[Path(table: table.name, target: broken.target), default: 0] += broken.count
      }
    }
  }

  /// - Throws: `SwiftDataError` when more leads nowhere than before.
  func finish(_ connection: any Connection) throws {
    var issues: [SwiftDataError.Issue] = []
    for (table, _) in tables {
      let found = Dictionary(grouping: try connection.brokenReferences(of: table.name), by: \.target)
      for (target, broken) in found.sorted(by: { $0.key < $1.key }) {
        let count = broken.reduce(0) { $0 + $1.count }
        guard count > counts[Path(table: table.name, target: target)] ?? 0 else { continue }
        issues += broken.map { broken in
          let column = table.columns.first { $0.name == broken.column }
          return SwiftDataError.Issue(
            entity: column?.owner ?? table.name, property: column?.sourceName ?? broken.column,
            message: "\(broken.count) rows would lead to rows of \(target) that are not there.")
        }
      }
    }
    guard issues.isEmpty else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "Taking up the schema would leave references that lead nowhere.",
        hint: "The store was not changed. Please report this, with the schemas of both versions.", issues: issues)
    }
  }
}

extension LayoutChange {
  /// The table whose rows the step writes anew, or gives references.
  fileprivate var writtenTable: String? {
    switch self {
    case .rebuildTable(let table), .changeDeleteRules(let table): table.name
    case .restore(let values): values.table
    case .placeLinks(let links): links.new.table
    default: nil
    }
  }
}
