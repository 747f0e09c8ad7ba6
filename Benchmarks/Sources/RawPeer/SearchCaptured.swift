import CSQLite
import Workload

/// Inserts the values into a temporary table, and joins it with the items.
final class SearchCaptured: Work {
  enum Captured {
    case names([String])
    case counts([Int])
    case keys([Int64])
  }

  private let connection: Connection
  private let transaction: Transactions
  private let captured: Captured
  private let definition: String
  private let select: String
  private var items: [Item] = []

  init(_ store: ItemStore, _ captured: Captured) throws {
    connection = store.connection
    try connection.execute("PRAGMA temp_store = MEMORY")
    transaction = try Transactions(connection)
    self.captured = captured
    let column: String
    switch captured {
    case .names: (column, definition) = ("\"name\"", "TEXT PRIMARY KEY) WITHOUT ROWID")
    case .counts: (column, definition) = ("\"count\"", "INTEGER PRIMARY KEY)")
    case .keys: (column, definition) = (store.table.key, "INTEGER PRIMARY KEY)")
    }
    select = store.table.select + " JOIN captured ON captured.captured_value = \(column)"
  }

  func run() throws -> Int {
    try transaction {
      try connection.execute("CREATE TEMPORARY TABLE captured (captured_value \(definition)")
      try insert()
    }
    items = try connection.prepare(select).items()
    try connection.execute("DROP TABLE captured")
    return items.reduce(0) { $0 + $1.count }
  }

  private func insert() throws {
    let statement = try connection.prepare("INSERT INTO captured VALUES (?)")
    switch captured {
    case .names(let names):
      for var name in names {
        try name.withUTF8 { bytes in
          try bytes.withMemoryRebound(to: CChar.self) {
            // The bytes are valid until the statement has run.
            sqlite3_bind_text(statement.handle, 1, $0.baseAddress, Int32($0.count), nil)
            try statement.run()
          }
        }
      }
    case .counts(let counts):
      for count in counts {
        sqlite3_bind_int64(statement.handle, 1, Int64(count))
        try statement.run()
      }
    case .keys(let keys):
      for key in keys {
        sqlite3_bind_int64(statement.handle, 1, key)
        try statement.run()
      }
    }
  }

  func finish() throws -> Outcome {
    defer { items = [] }
    return .objects(Digest(of: items))
  }
}

extension SearchCaptured {
  static func names(_ store: ItemStore, _ seeds: Seeds) throws -> SearchCaptured {
    try SearchCaptured(store, .names(seeds.capturedNames))
  }

  static func counts(_ store: ItemStore) throws -> SearchCaptured {
    try SearchCaptured(store, .counts(Selection.captured))
  }

  static func keys(_ store: ItemStore) throws -> SearchCaptured {
    let all = try store.keys()
    return try SearchCaptured(store, .keys(Selection.captured.map { all[$0] }))
  }
}
