import Foundation
import Logging
import PostgresDriver
package import Relational
public import SwiftData

extension PostgresConfiguration: RelationalConfiguration {
  package var model: ModelConfiguration {
    let place = URL(string: "postgresql:")?.appendingPathComponent(self.place).appendingPathComponent(namespace)
    var model = ModelConfiguration(
      name, schema: schema, url: place ?? URL(fileURLWithPath: "/dev/null"), allowsSave: allowsSave,
      server: PostgresServer(configuration: self))
    model.options = options
    model.statementLogging = statementLogging
    return model
  }
}

extension ModelContainer {
  /// Opens stores in PostgreSQL databases, and migrates them by a plan if they need it.
  ///
  /// - Parameters:
  ///   - givenSchema: The models.
  ///   - migrationPlan: The plan. Its stages with code run in a schema `swiftdata_copy_…` of the database, whose tables then
  ///     replace those of the store in one transaction.
  ///   - configurations: A configuration for each store.
  /// - Throws: The errors of the initializer that takes a `ModelConfiguration`.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, configurations: PostgresConfiguration...
  ) throws {
    for configuration in configurations { try configuration.validate() }
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations.map(\.model))
  }
}

extension MigrationInspector {
  /// Makes an inspector of stores in PostgreSQL databases, and reads no store yet.
  ///
  /// - Parameters:
  ///   - schema: The models of the container.
  ///   - migrationPlan: The plan of the container.
  ///   - configurations: The configurations of the container.
  public init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: PostgresConfiguration...
  ) {
    self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations.map(\.model))
  }
}

/// Opens the databases of stores on a server.
package struct PostgresServer: DatabaseServer {
  private let configuration: PostgresConfiguration
  package var dialect: any Dialect { PostgresDialect() }

  package init(configuration: PostgresConfiguration) {
    self.configuration = configuration
  }

  package func place(of model: ModelConfiguration) -> String {
    "\(configuration.place), schema \(configuration.namespace)"
  }

  package func moved(to namespace: String) -> any DatabaseServer {
    var configuration = configuration
    configuration.namespace = namespace
    return PostgresServer(configuration: configuration)
  }

  package func openDatabase(_ request: DatabaseRequest) throws -> any Database {
    let connections = configuration.connections
    var driver = PostgresDriver.PostgresConfiguration(server: server, schema: configuration.namespace)
    driver.isReadOnly = request.isReadOnly
    driver.maximumConnections = max(1, connections.maximumCount)
    driver.idleTimeout = connections.idleTimeout.inSeconds
    driver.connectTimeout = connections.connectTimeout.inSeconds
    driver.statementTimeout = connections.statementTimeout?.inSeconds
    driver.busyTimeout = request.busyTimeout
    driver.applicationName = connections.applicationName ?? ProcessInfo.processInfo.processName
    driver.preparedStatements = connections.preparedStatements
    driver.statementObserver = request.observer
    driver.decimals = .store
    let database = try PostgresDatabase(configuration: driver)
    if !request.isReadOnly { try database.withoutTransaction { try Self.createCollations(request, $0) } }
    return database
  }

  private var server: PostgresDriver.PostgresConfiguration.Server {
    let tls: [String: String] =
      switch configuration.tls {
      case .automatic: [:]
      case .disabled: ["sslmode": "disable"]
      case .required: ["sslmode": "require"]
      case .verifiesAuthority(let certificate): ["sslmode": "verify-ca", "sslrootcert": certificate]
      case .verifiesHost(let certificate): ["sslmode": "verify-full", "sslrootcert": certificate]
      }
    switch configuration.server {
    case .url(let url, _): return .url(url, replacing: tls)
    case .parameters(let parts): return .parameters(parts.merging(tls) { $1 })
    }
  }

  /// Creates the orders of text that the store has no collation for yet.
  private static func createCollations(_ request: DatabaseRequest, _ connection: any Connection) throws {
    func missing() throws -> [String] {
      var existing = Set<String>()
      try connection.forEachRow(PostgresConnection.collations) { existing.insert($0.text(0)) }
      return request.orders.keys.filter { !existing.contains($0) }.sorted()
    }
    let dialect = PostgresDialect()
    for name in try missing() {
      guard let rules = request.orders[name] else { continue }
      do {
        try connection.execute(
          """
          CREATE COLLATION IF NOT EXISTS \(dialect.quoted(name)) \
          (provider = icu, locale = '\(rules.tag)', deterministic = false)
          """)
      } catch let error as DatabaseError {
        // Another process may have created it at the same time. Without the right to create it, the program sorts in memory.
        if error.reason != .readOnly, try missing().contains(name) { throw error }
      }
    }
  }
}

extension DatabaseRequest.TextRules {
  /// The rules as a language tag: texts are equal only when they are canonically equivalent.
  fileprivate var tag: String {
    let language = locale.identifier(.bcp47).split(separator: "-u-").first.map(String.init) ?? "und"
    let isPlain =
      !language.isEmpty && language.utf8.allSatisfy { $0 == 45 || $0 >= 48 && $0 <= 57 || $0 >= 65 && $0 <= 122 }
    return "\(isPlain ? language : "und")-u-\(isNumeric ? "kn-true-" : "")ks-identic"
  }
}

extension PostgresDriver.PostgresConfiguration.Decimals {
  /// The decimals of stores, as text that has their order.
  fileprivate static var store: Self {
    Self(
      fromPlain: { text in
        text == "NaN"
          ? text : Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(DecimalText.encode)
      },
      toPlain: { text in text.split(separator: " ").last.map(String.init) })
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
