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
}

/// Called before the tests begin.
@_cdecl("osd_test_launch")
public func launchTests() {
  guard PostgresTests.areOn, let url = PostgresTests.url else { return }
  DatabaseServerInterception.server = TestServer(url: url)
}

private struct TestServer: DatabaseServer {
  let url: String
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
        : ShortName.of(configuration.url.standardizedFileURL.path, longest: 63))
    var server = PostgresConfiguration(url: url, namespace: namespace)
    server.connections.maximumCount = 8
    server.connections.idleTimeout = .milliseconds(500)
    return PostgresServer(configuration: server)
  }
}
