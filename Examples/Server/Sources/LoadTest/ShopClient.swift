import AsyncHTTPClient
import Foundation
import NIOCore

/// Sends requests to a book shop on this machine.
struct ShopClient: Sendable {
  private let client = HTTPClient(eventLoopGroupProvider: .singleton)
  private let origin: String

  init(port: Int) {
    origin = "http://127.0.0.1:\(port)"
  }

  /// - Returns: The status of the response, whose body is read to its end.
  func send(_ request: ShopRequest) async throws -> Int {
    var message = HTTPClientRequest(url: origin + request.path)
    message.method = .init(rawValue: request.method)
    if let body = request.body {
      message.headers.add(name: "content-type", value: "application/json")
      message.body = .bytes(ByteBuffer(string: body))
    }
    let response = try await client.execute(message, timeout: .seconds(40))
    _ = try await response.body.collect(upTo: 1 << 20)
    return Int(response.status.code)
  }

  /// Adds the missing books of the first `books` samples.
  func stock(books: Int, clients: Int) async throws {
    let counter = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<clients {
        group.addTask {
          while let number = counter.next(below: books) {
            let status = try await send(ShopRequest("POST", "/books", SampleBook(number).json))
            guard status == 201 || status == 409 else { throw StockError(status: status) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  func close() async throws {
    try await client.shutdown()
  }
}

/// The shop refused a book of the load test.
struct StockError: Error, CustomStringConvertible {
  let status: Int
  var description: String { "The shop answered \(status) to a new book." }
}
