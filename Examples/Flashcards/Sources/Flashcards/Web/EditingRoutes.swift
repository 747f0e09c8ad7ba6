import Foundation
import Hummingbird

/// The routes that change the document.
struct EditingRoutes {
  /// Larger than any accepted text.
  private static let sizeLimit = 512 << 10

  let document: OpenDocument

  func add(to router: Router<BasicRequestContext>) {
    router.post("decks") { request, _ in
      let form = try await form(request)
      return try await done { try document.addDeck(named: form["name"]) }
    }
    router.post("decks/:key") { request, context in
      let (form, key) = (try await form(request), try key(context, "deck"))
      return try await done { try document.renameDeck(key, to: form["name"], base: form.value("base")) }
    }
    router.post("decks/:key/delete") { _, context in
      let key = try key(context, "deck")
      return try await done { try document.deleteDeck(key) }
    }
    router.post("cards") { request, _ in
      let form = try await form(request)
      guard let deck = UUID(uuidString: form["deck"]) else { throw CardError.gone("deck") }
      return try await done { try document.addCard(to: deck, front: form["front"], back: form["back"]) }
    }
    router.post("cards/:key") { request, context in
      let (form, key) = (try await form(request), try key(context, "card"))
      guard let side = CardSide.allCases.first(where: { form.value($0.rawValue) != nil }) else {
        throw CardError.invalid(field: "front", "A front or a back is needed.")
      }
      return try await done { try document.editCard(key, side, to: form[side.rawValue], base: form.value("base")) }
    }
    router.post("cards/:key/delete") { _, context in
      let key = try key(context, "card")
      return try await done { try document.deleteCard(key) }
    }
    router.post("cards/:key/answer") { request, context in
      let (form, key) = (try await form(request), try key(context, "card"))
      guard let answer = StudyAnswer(rawValue: form["answer"]) else {
        throw CardError.invalid(field: "answer", "The answer is “again” or “good”.")
      }
      return try await done { try document.answer(key, answer) }
    }
    router.post("undo") { _, _ in try await done { try document.undo() } }
    router.post("redo") { _, _ in try await done { try document.redo() } }
    router.post("save") { _, _ in try await done { try document.save() } }
  }

  @MainActor
  private func done(_ change: @MainActor () throws -> Void) throws -> HTTPResponse.Status {
    try change()
    return .noContent
  }

  private func form(_ request: Request) async throws -> Form {
    let body = try await request.body.collect(upTo: Self.sizeLimit)
    return Form(String(buffer: body))
  }

  private func key(_ context: BasicRequestContext, _ what: String) throws -> UUID {
    guard let key = UUID(uuidString: try context.parameters.require("key")) else { throw CardError.gone(what) }
    return key
  }
}
