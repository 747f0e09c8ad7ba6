import Foundation
import PostgresDriver
import Relational
import Support
import SwiftData
import SwiftDataPostgres

/// The database server on which the tests run when `OSD_TEST_STORE` is "postgres": every store of a `ModelConfiguration` is in a
/// schema of the database at `OSD_POSTGRES_URL` then. The schema of a file is the same whenever the file is opened.
package enum PostgresTests {
  /// Whether stores are on a PostgreSQL server.
  package static let areOn = ProcessInfo.processInfo.environment["OSD_TEST_STORE"] == "postgres"

  /// The address of the server; nil when the tests have none.
  package static let url = ProcessInfo.processInfo.environment["OSD_POSTGRES_URL"]

  /// The schema of the store that would be in a file.
  static func namespace(of file: URL) -> String {
    ShortName.of(file.standardizedFileURL.path, longest: 63)
  }

  /// Runs `body` on the database of the store that would be in a file, without the library.
  static func withDatabase<Result>(at file: URL, _ body: (PostgresDatabase) throws -> Result) throws -> Result {
    let database = try PostgresDatabase(configuration: .init(server: .url(url ?? ""), schema: namespace(of: file)))
    defer { try? database.close() }
    return try body(database)
  }

  /// SQL of tests in the words of the server, with quotation marks around names that have capital letters: it would turn them
  /// into small ones.
  static func translated(_ sql: String) -> String {
    let tables = "(SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()) AS tables"
    return switch sql {
    // The server lets no reference dangle.
    case "PRAGMA foreign_key_check": "SELECT '' WHERE FALSE"
    case "PRAGMA integrity_check": "SELECT 'ok'"
    default:
      quoted(sql).replacing(/sqlite_(schema|master)/) { _ in tables }.replacing(/\bhex\(([^)]*)\)/) { match in
        "upper(encode(convert_to(\(match.output.1), 'UTF8'), 'hex'))"
      }
    }
  }

  private static func quoted(_ sql: String) -> String {
    sql.replacing(/"[^"]*"|'[^']*'|[A-Za-z_]*[a-z_][A-Za-z_0-9]*/) { match in
      let isQuoted = match.output.first == "'" || match.output.first == "\""
      let isName = !isQuoted && match.output.contains(where: \.isUppercase)
      return isName ? "\"\(match.output)\"" : String(match.output)
    }
  }
}

/// Called before the tests begin.
@_cdecl("osd_test_launch")
public func launchTests() {
  guard PostgresTests.areOn else { return }
  guard let url = PostgresTests.url else { fatalError("OSD_TEST_STORE=postgres needs OSD_POSTGRES_URL") }
  DatabaseServerInterception.server = TestServer(url: url)
}

private struct TestServer: DatabaseServer {
  let url: String
  var dialect: any Dialect { PostgresDialect() }
  var namespace: String?

  func moved(to namespace: String) -> any DatabaseServer {
    TestServer(url: url, namespace: namespace)
  }

  func openDatabase(_ request: DatabaseRequest) throws -> any Database {
    try server(of: request.configuration).openDatabase(request)
  }

  func place(of configuration: ModelConfiguration) -> String {
    configuration.url.path
  }

  private func server(of configuration: ModelConfiguration) -> PostgresServer {
    let namespace =
      self.namespace
      ?? (configuration.isStoredInMemoryOnly
        ? "memory_\(UUID().uuidString.prefix(13))"
        : PostgresTests.namespace(of: configuration.url))
    var server = PostgresConfiguration(url: url, namespace: namespace)
    server.connections.maximumCount = 8
    server.connections.idleTimeout = .milliseconds(500)
    return PostgresServer(configuration: server)
  }
}
