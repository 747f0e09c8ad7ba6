import Foundation
import SwiftData
import SwiftDataPostgres
import SwiftDataTesting
import Testing

@testable import TestSupport

@Suite("Conformance of the PostgreSQL store", .needsServer)
struct ConformanceTests {
  /// The names of the schemas of one check begin with its name.
  private let namespace: Namespace

  init() throws {
    namespace = try Namespace("conf")
  }

  private func check<Configuration: DataStoreConfiguration & SendableMetatype>(
    claiming claims: DataStoreConformance.Claims,
    _ configuration: @escaping @Sendable (PostgresConfiguration) -> Configuration
  ) async throws {
    let (server, prefix) = (try #require(ServerAddress.url), namespace.name)
    try await DataStoreConformance.check(claiming: claims) { url, schema in
      let name = "\(prefix)_\(url.deletingPathExtension().lastPathComponent.suffix(12).lowercased())"
      return configuration(PostgresConfiguration(schema: schema, url: server, namespace: name))
    }
    let names = try namespace.database.text(
      "SELECT coalesce(string_agg(quote_ident(nspname), ', '), '') FROM pg_namespace WHERE nspname LIKE '\(prefix)\\_%'"
    )
    if !names.isEmpty { try namespace.database.execute("DROP SCHEMA \(names) CASCADE") }
  }

  @Test("A store in a PostgreSQL database keeps all promises")
  func container() async throws {
    try await check(claiming: [.persistence, .uniqueness]) { $0 }
  }

  @Test("The PostgreSQL store keeps all promises through snapshots")
  func snapshots() async throws {
    try await check(claiming: [.persistence, .uniqueness]) { ForwardingConfiguration(base: $0, schema: $0.schema) }
  }
}
