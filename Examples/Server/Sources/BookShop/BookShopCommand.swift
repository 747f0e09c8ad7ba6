import ArgumentParser
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import SwiftData
import SwiftDataPostgres

@main
struct BookShopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "book-shop", abstract: "Serves a book shop over HTTP, with its books in a SwiftData store.",
    discussion: """
      SIGTERM and SIGINT stop it: it answers the requests that it has, saves, and closes the store.

      Without --store, the store is in the PostgreSQL database whose URL the environment variable DATABASE_URL has, or in \
      memory if there is no such variable.
      """)

  @Option(help: ArgumentHelp("The store's file, made when missing.", valueName: "path"))
  var store: String?

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen at, 0 for any that is free.")
  var port = 8080

  @Option(help: "Whether requests that read share one actor: \(Catalogs.Sharing.names).")
  var readers = Catalogs.Sharing.perRequest

  @Option(help: "Whether requests that write share one actor: \(Catalogs.Sharing.names).")
  var writers = Catalogs.Sharing.shared

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535.") }
    guard store != "" else { throw ValidationError("--store needs the path of a file.") }
  }

  func run() async throws {
    var logger = Logger(label: "book-shop")
    logger.logLevel = .notice
    let container = try BookShop.open(storeConfiguration)
    let application = BookShop.application(
      catalogs: Catalogs(container: container, readers: readers, writers: writers),
      address: .hostname(host, port: port), logger: logger
    ) { channel in
      let port = channel.localAddress?.port ?? 0
      // Not `print`, which buffers the line when the output is a pipe.
      try? FileHandle.standardOutput.write(contentsOf: Data("Listening at port \(port)\n".utf8))
    }
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // A client that never finishes its request does not keep the program running: the supervisor would kill it.
    configuration.maximumGracefulShutdownDuration = .seconds(20)
    try await ServiceGroup(configuration: configuration).run()
    try container.close()
  }

  private var storeConfiguration: any DataStoreConfiguration {
    if let store {
      ModelConfiguration(url: URL(filePath: store))
    } else if let url = ProcessInfo.processInfo.environment["DATABASE_URL"] {
      PostgresConfiguration(url: url)
    } else {
      ModelConfiguration(isStoredInMemoryOnly: true)
    }
  }
}

extension Catalogs.Sharing: ExpressibleByArgument {
  fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: " or ") }
}
