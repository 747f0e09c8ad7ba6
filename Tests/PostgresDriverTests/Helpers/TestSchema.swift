import Foundation
import PostgresDriver
import Relational
import Testing

/// The server of the tests: `OSD_POSTGRES_URL`.
enum TestServer {
  static let url = ProcessInfo.processInfo.environment["OSD_POSTGRES_URL"]
}

extension Trait where Self == ConditionTrait {
  /// Skips tests where there is no server.
  static var needsServer: Self {
    .enabled(
      if: TestServer.url != nil,
      "OSD_POSTGRES_URL is not set: the address of a PostgreSQL server whose user may create schemas")
  }
}

/// A schema of its own, which is dropped with the object.
final class TestSchema: Sendable {
  let name: String
  let configuration: PostgresConfiguration
  let database: PostgresDatabase

  /// - Parameter createsLock: Whether the table exists that writers lock.
  init(
    name: String? = nil, createsLock: Bool = true, _ configure: (inout PostgresConfiguration) -> Void = { _ in }
  ) throws {
    self.name = name ?? "test_\(UUID().uuidString.lowercased())"
    let url = try #require(TestServer.url)
    var configuration = PostgresConfiguration(server: .url(url), schema: self.name)
    configure(&configuration)
    self.configuration = configuration
    database = try PostgresDatabase(configuration: configuration)
    if createsLock { try database.createLock() }
  }

  deinit {
    try? database.close()
    var configuration = configuration
    configuration.schema = "public"
    configuration.preparedStatements = true
    let quoted = name.replacingOccurrences(of: "\"", with: "\"\"")
    if let database = try? PostgresDatabase(configuration: configuration) {
      try? database.execute("DROP SCHEMA IF EXISTS \"\(quoted)\" CASCADE")
      try? database.close()
    }
  }

  /// Another object for the same schema, as another process has.
  func reopened(_ configure: (inout PostgresConfiguration) -> Void = { _ in }) throws -> PostgresDatabase {
    var configuration = configuration
    configure(&configuration)
    return try PostgresDatabase(configuration: configuration)
  }
}

extension PostgresDatabase {
  func createLock() throws {
    try write { try $0.execute("CREATE TABLE swiftdata_sequences (name text PRIMARY KEY, last bigint)") }
  }

  /// Runs statements outside of any transaction.
  func execute(_ sql: String) throws {
    try withoutTransaction { try $0.execute(sql) }
  }

  func rows(_ sql: String, _ parameters: [Value] = []) throws -> [[Value]] {
    try readStatement(preferring: nil) { try $0.rows(sql, parameters) }
  }

  func integer(_ sql: String, _ parameters: [Value] = []) throws -> Int64? {
    guard case .integer(let value)? = try rows(sql, parameters).first?.first else { return nil }
    return value
  }

  /// Ends the server's side of a connection.
  func terminate(_ process: Int64) throws {
    #expect(try rows("SELECT pg_terminate_backend($1::int, 5000)", [.integer(process)]) == [[.integer(1)]])
  }
}

extension Connection {
  /// The rows of a query, with the types of the first row's values.
  func rows(_ sql: String, _ parameters: [Value] = []) throws -> [[Value]] {
    var rows: [[Value]] = []
    var width: Int32?
    try forEachRow(sql, parameters) { row in
      let count = width ?? (row as? PostgresStatement)?.columnCount ?? 1
      width = count
      rows.append((0..<count).map { row.value($0) })
    }
    return rows
  }

  var process: Int64 {
    get throws {
      var process: Int64 = 0
      try forEachRow("SELECT pg_backend_pid()") { process = $0.integer(0) }
      return process
    }
  }
}

extension Statement {
  func value(_ column: Int32) -> Value {
    switch type(of: column) {
    case .null: .null
    case .integer: .integer(integer(column))
    case .real: .real(real(column))
    case .text: .text(text(column))
    case .blob: .blob(withBlob(column) { Data($0) })
    }
  }
}
