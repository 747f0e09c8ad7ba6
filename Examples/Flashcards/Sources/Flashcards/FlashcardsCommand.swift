import ArgumentParser
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

@main
struct FlashcardsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flashcards", abstract: "Shows a document of flash cards in the browser.",
    discussion: "SIGTERM and SIGINT stop it: it ends the streams of open pages, saves, and closes the document.")

  @Argument(help: "The document, a folder with the extension flashcards that is made when missing.")
  var file = "Sample.flashcards"

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen at, 0 for any that is free.")
  var port = 8080

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be from 0 to 65535 (was \(port)).") }
    if file.isEmpty { throw ValidationError("The path of the document must not be empty.") }
  }

  func run() async throws {
    var logger = Logger(label: "flashcards")
    logger.logLevel = .error
    let url = URL(filePath: file)
    let document = try await OpenDocument(
      url: url.pathExtension.isEmpty ? url.appendingPathExtension("flashcards") : url)
    let server = await FlashcardsServer(document, host: host, logger: logger)
    let application = server.application(port: port) { [host, file] channel in
      let address = "http://\(host.contains(":") ? "[\(host)]" : host):\(channel.localAddress?.port ?? 0)"
      // Not `print`, which buffers the line when the output is a pipe.
      try? FileHandle.standardOutput.write(contentsOf: Data("Flashcards shows \(file) at \(address)\n".utf8))
    }
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // A page that does not read its events, or an unfinished request, does not keep the program running.
    configuration.maximumGracefulShutdownDuration = .seconds(1)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch is CancellationError {
      // The limit was reached. Everything that was acknowledged is saved.
    }
    try await document.close()
  }
}
