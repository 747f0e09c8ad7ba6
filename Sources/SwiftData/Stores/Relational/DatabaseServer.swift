import Foundation
package import Relational

/// A database server that has stores.
package protocol DatabaseServer: Sendable {
  var dialect: any Dialect { get }

  /// Opens the database of a store, and creates what it needs beside the store's tables.
  func openDatabase(_ request: DatabaseRequest) throws -> any Database

  /// The server with another namespace for the store's tables.
  func moved(to namespace: String) -> any DatabaseServer

  /// Where a store is, for messages: without passwords.
  func place(of configuration: ModelConfiguration) -> String
}

/// What a store asks of its database.
package struct DatabaseRequest: Sendable {
  package var configuration: ModelConfiguration
  package var isReadOnly: Bool
  /// How many seconds a write waits for others.
  package var busyTimeout: Double
  /// Observes the statements; nil if nothing needs them.
  package var observer: StatementObserver?
  /// The orders of text, by the names of the functions that stand for them in statements.
  package var orders: [String: TextRules]

  /// The rules of an order of text that the server has to have.
  package struct TextRules: Sendable {
    package var locale: Locale
    /// Whether digits are compared by the number that they form.
    package var isNumeric: Bool
  }
}

/// A configuration of a store in a relational database.
package protocol RelationalConfiguration: DataStoreConfiguration {
  var model: ModelConfiguration { get }
}

extension DataStoreConfiguration {
  /// The configuration, if it is of a store in a relational database.
  var relational: ModelConfiguration? {
    self as? ModelConfiguration ?? (self as? any RelationalConfiguration)?.model
  }
}

/// Lets tests open the stores of all configurations on a database server.
package enum DatabaseServerInterception {
  @TaskLocal package static var isOff = false
  package nonisolated(unsafe) static var server: (any DatabaseServer)?
  static var make: (() -> (any DatabaseServer)?)? { server == nil || isOff ? nil : { server } }
}
