import Foundation
import Hummingbird
import NIOCore

/// Imports of files.
struct ImportRoutes {
  let document: OpenDocument
  let imports: Imports

  func add(to router: Router<BasicRequestContext>) {
    router.post("import") { request, _ in
      guard let key = UUID(uuidString: request.uri.queryParameters["deck"].map(String.init) ?? "") else {
        throw CardError.invalid(field: "deck", "Choose a deck to import into.")
      }
      try await requireDeck(key)
      let body: ByteBuffer
      do {
        body = try await request.body.collect(upTo: CardFile.sizeLimit)
      } catch is NIOTooManyBytesError {
        throw CardError.fileTooLarge
      }
      let file = try CardFile(body.readableBytesView)
      let id = try await imports.start(file, intoDeck: key)
      return try JSONResponse.make(["import": id], status: .accepted)
    }
    router.post("import/:id/cancel") { _, context in
      try await imports.cancel(try context.parameters.require("id"))
      return HTTPResponse.Status.noContent
    }
  }

  @MainActor
  private func requireDeck(_ key: UUID) throws {
    _ = try document.deck(key)
  }
}
