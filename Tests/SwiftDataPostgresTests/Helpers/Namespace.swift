import Foundation
import PostgresDriver
import Relational
import Testing

@testable import TestSupport

/// A schema of the database for one test, which is dropped with the object.
final class Namespace: Sendable {
  let name: String
  /// A connection beside the store's, in the same schema.
  let database: PostgresDatabase

  /// - Parameter name: The beginning of the name; the end is unique.
  init(_ name: String = "trust") throws {
    self.name = "\(name)_\(UUID().uuidString.lowercased().prefix(12))"
    database = try Self.database(self.name)
  }

  deinit {
    try? database.execute("DROP SCHEMA IF EXISTS \(PostgresDialect().quoted(name)) CASCADE")
    try? database.close()
  }

  /// - Parameter url: The server; nil for that of the tests.
  static func database(_ namespace: String, url: String? = nil) throws -> PostgresDatabase {
    let url = try url ?? #require(PostgresTests.url)
    var configuration = PostgresConfiguration(server: .url(url), schema: namespace)
    configuration.applicationName = "tests"
    return try PostgresDatabase(configuration: configuration)
  }

  /// Ends the server's side of connections.
  ///
  /// - Parameters:
  ///   - role: Only those of a role.
  ///   - limit: At most so many, chosen at random.
  /// - Returns: How many.
  @discardableResult
  func terminate(connectionsOf application: String, role: String = "", limit: Int64 = .max) throws -> Int64 {
    try database.integer(
      """
      SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity \
      WHERE application_name = $1 AND ($2 = '' OR usename = $2) AND pid <> pg_backend_pid() \
      ORDER BY random() LIMIT $3) AS chosen
      """, [.text(application), .text(role), .integer(limit)])
  }
}

extension PostgresDatabase {
  /// Runs statements outside of any transaction.
  func execute(_ sql: String) throws {
    try withoutTransaction { try $0.execute(sql) }
  }

  func integer(_ sql: String, _ parameters: [Value] = []) throws -> Int64 {
    var value: Int64 = 0
    try readStatement(preferring: nil) { connection in
      try connection.forEachRow(sql, parameters) { value = $0.integer(0) }
    }
    return value
  }

  func text(_ sql: String) throws -> String {
    var value = ""
    try readStatement(preferring: nil) { connection in try connection.forEachRow(sql) { value = $0.text(0) } }
    return value
  }
}

/// The addresses that tests use.
enum ServerAddress {
  static let url = PostgresTests.url
  static let pooled = ProcessInfo.processInfo.environment["OSD_PGBOUNCER_URL"]

  /// The address of the server with other parameters, which replace those of the address.
  static func url(_ parameters: [String: String], of url: String? = url) throws -> String {
    let url = try #require(url)
    if parameters.isEmpty { return url }
    let allowed = CharacterSet.alphanumerics
    let items = parameters.sorted { $0.key < $1.key }.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? value)"
    }
    return url + (url.contains("?") ? "&" : "?") + items.joined(separator: "&")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests where there is no server.
  static var needsServer: Self { .enabled(if: ServerAddress.url != nil, "OSD_POSTGRES_URL is not set") }

  /// Skips tests where there is no pooler in front of the server.
  static var needsPooler: Self {
    .enabled(if: ServerAddress.url != nil && ServerAddress.pooled != nil, "OSD_PGBOUNCER_URL is not set")
  }
}
