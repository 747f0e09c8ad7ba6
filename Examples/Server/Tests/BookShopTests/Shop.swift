import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import SwiftData
import Testing

@testable import BookShop

/// A test's own shop, with its store in memory unless a file is given.
struct Shop {
  let container: ModelContainer
  let catalogs: Catalogs

  init(
    _ configuration: ModelConfiguration = ModelConfiguration(isStoredInMemoryOnly: true),
    readers: Catalogs.Sharing = .perRequest, writers: Catalogs.Sharing = .shared
  ) throws {
    container = try BookShop.open(configuration)
    catalogs = Catalogs(container: container, readers: readers, writers: writers)
  }

  /// Runs a test against the shop; with `.router` without a network.
  func test<Value: Sendable>(
    _ setup: TestingSetup = .router, _ body: @Sendable (any TestClientProtocol) async throws -> Value
  ) async throws -> Value {
    try await BookShop.application(catalogs: catalogs, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      .test(setup, body)
  }
}

extension TestClientProtocol {
  /// Sends JSON, and returns the answer.
  func send(_ method: HTTPRequest.Method, _ uri: String, _ json: String? = nil) async throws -> TestResponse {
    try await execute(uri: uri, method: method, body: json.map { ByteBuffer(string: $0) })
  }

  func add(_ isbn: String, _ title: String, by author: String = "Ursula K. Le Guin", copies: Int = 3) async throws {
    let response = try await send(
      .post, "/books",
      #"{"isbn":"\#(isbn)","title":"\#(title)","author":"\#(author)","year":1974,"copies":\#(copies)}"#)
    #expect(response.status == .created, "\(response.text)")
  }

  func book(_ isbn: String) async throws -> BookContent {
    try await send(.get, "/books/\(isbn)").decoded()
  }

  func page(_ query: String = "") async throws -> BookPage {
    try await send(.get, "/books\(query)").decoded()
  }
}

extension TestResponse {
  var text: String { String(buffer: body) }

  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(buffer: body))
  }

  /// The reasons of a refusal.
  var reasons: [String] {
    get throws { try decoded(as: [String: [String]].self)["reasons"] ?? [] }
  }
}

/// Valid ISBNs.
let (dispossessed, darkness, solaris) = ("9780061054884", "9780441478125", "9780156027601")
