import GRDB
import Workload

/// The columns of a row by which live queries select and sort, without the text.
struct LiveRecord: FetchableRecord, Equatable, Sendable {
  let id: Int64
  let owner: Int
  let position: Int

  /// Decodes a row of `LiveQuery.sql`.
  init(row: Row) {
    id = row[0]
    owner = row[1]
    position = row[2]
  }
}

extension LiveQuery {
  private static let select = "SELECT \"_id\", \"owner\", \"position\" FROM \"LiveRow\""
  private static let order = " ORDER BY \"position\""

  var sql: String {
    let condition =
      switch self {
      case .owner: " WHERE \"owner\" = ?"
      case .word: " WHERE instr(\"text\", ?) > 0"
      case .all: ""
      case .first: " WHERE \"owner\" >= ?"
      case .others: " WHERE \"owner\" = ? AND \"position\" <> ?"
      }
    let limit = if case .first = self { " LIMIT \(Self.limit)" } else { "" }
    return Self.select + condition + Self.order + limit
  }

  var arguments: StatementArguments {
    switch self {
    case .owner(let owner), .first(let owner): [owner]
    case .word(let word): [LiveSeed.label(ofWord: word)]
    case .all: []
    case .others(let owner, let position): [owner, position]
    }
  }

  func fetch(_ database: Database) throws -> [LiveRecord] {
    try LiveRecord.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
  }
}
