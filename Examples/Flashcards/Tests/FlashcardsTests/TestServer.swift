import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import SwiftData
import Testing

@testable import Flashcards

/// A test's own document, with the sample, and its application without a network.
@MainActor
final class TestServer {
  private let folder: TemporaryFolder
  let server: FlashcardsServer
  var url: URL { folder.url.appending(path: "Test.flashcards") }
  var context: ModelContext { server.document.context }

  init() throws {
    folder = try TemporaryFolder()
    let document = try OpenDocument(url: folder.url.appending(path: "Test.flashcards"))
    server = FlashcardsServer(document, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Runs a test with requests. The document is closed at the end.
  func test(_ body: @escaping @MainActor (Client) async throws -> Void) async throws {
    let token = server.token
    try await server.application().test(.router) { client in
      try await body(Client(client: client, token: token))
    }
  }

  func deck(_ name: String) throws -> Deck {
    try #require(try context.fetch(FetchDescriptor<Deck>(predicate: #Predicate { $0.name == name })).first)
  }

  func card(_ front: String) throws -> Card {
    try #require(try context.fetch(FetchDescriptor<Card>(predicate: #Predicate { $0.front == front })).first)
  }

  /// The fronts of a deck's cards, in their order.
  func fronts(_ deck: String) throws -> [String] {
    try context.fetch(
      FetchDescriptor<Card>(
        predicate: #Predicate { $0.deck?.name == deck }, sortBy: [SortDescriptor(\.creationDate)])
    ).map(\.front)
  }

  func deckNames() throws -> [String] {
    try context.fetch(PageQuery.decks).map(\.name)
  }

  func events(_ query: PageQuery = PageQuery(), seen: String? = nil) throws -> EventReader {
    EventReader(try server.feeds.open(query, seen: seen), query, server.feeds)
  }
}

/// Sends requests like a page.
struct Client: Sendable {
  let client: any TestClientProtocol
  let token: String

  @discardableResult
  func post(
    _ path: String, _ fields: [String: String] = [:], token: String? = nil, headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    let body = fields.map { "\(Self.encoded($0))=\(Self.encoded($1))" }.joined(separator: "&")
    return try await send(path, body, token: token, headers: headers)
  }

  func send(
    _ path: String, _ body: String, token: String? = nil, headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    var headers = headers
    headers[.pageToken] = token ?? self.token
    return try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(string: body))
  }

  func get(_ path: String) async throws -> TestResponse {
    try await client.execute(uri: path, method: .get)
  }

  func page(_ path: String = "/") async throws -> String {
    try await get(path).text
  }

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension TestResponse {
  var text: String { String(buffer: body) }

  /// The fields of a JSON object.
  var json: [String: String] {
    get throws { try JSONDecoder().decode([String: String].self, from: Data(buffer: body)) }
  }
}
