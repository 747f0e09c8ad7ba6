import ArgumentParser
import AsyncHTTPClient
import Foundation

@main
struct LoadTestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load-test",
    abstract: "Sends requests to a book shop on this machine, and says how fast they are answered.",
    discussion: "Adds books to the shop's store until it has enough. Fails when any request fails.")

  @Option(help: "The port of the book shop on this machine.")
  var port = 8080

  @Option(help: "What to ask for: \(Workload.allCases.map(\.rawValue).joined(separator: ", ")).")
  var workload = [Workload.get, .list, .search, .sell, .add]

  @Option(help: "How many requests to send for each workload, 1,000,000 at most.")
  var requests = 10_000

  @Option(help: "How many clients send them, each one after the other; 256 at most.")
  var clients = 16

  @Option(help: "How many books the shop should have, 100,000 at most.")
  var books = 1000

  @Option(help: "After how many seconds a workload ends in any case, 600 at most.")
  var seconds = 60

  func validate() throws {
    guard (1...65535).contains(port), (1...1_000_000).contains(requests), (1...256).contains(clients),
      (1...100_000).contains(books), (1...600).contains(seconds)
    else { throw ValidationError("A number is outside its limits: see --help.") }
  }

  func run() async throws {
    let shop = ShopClient(port: port)
    do {
      try await shop.stock(books: books, clients: clients)
      for workload in workload {
        let run = LoadRun(workload: workload, requests: requests, clients: clients, books: books, seconds: seconds)
        let summary = try await run.measure(shop)
        try FileHandle.standardOutput.write(contentsOf: Data("\(workload.rawValue): \(summary)\n".utf8))
        guard summary.failures == 0 else { throw ExitCode.failure }
      }
    } catch {
      try? await shop.close()
      throw error
    }
    try await shop.close()
  }
}

extension Workload: ExpressibleByArgument {}
