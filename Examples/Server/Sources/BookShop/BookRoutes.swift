import Hummingbird

/// The routes of the shop.
struct BookRoutes {
  let catalogs: Catalogs

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: StoreErrorMiddleware())
    router.get("health") { _, _ in
      Health(books: try await catalogs.bookCount())
    }
    router.get("books") { request, context in
      try await catalogs.reader.page(try request.uri.decodeQuery(as: BookQuery.self, context: context))
    }
    router.get("books/:isbn") { _, context in
      try await catalogs.reader.book(try isbn(context))
    }
    router.post("books") { request, context in
      let draft = try await request.decode(as: BookDraft.self, context: context)
      let isbn = try draft.validated()
      let book = try await catalogs.writer.add(draft, as: isbn)
      return EditedResponse(status: .created, headers: [.location: "/books/\(isbn)"], response: book)
    }
    router.patch("books/:isbn") { request, context in
      let changes = try await request.decode(as: BookChanges.self, context: context)
      try changes.validate()
      return try await catalogs.writer.update(try isbn(context), with: changes)
    }
    router.delete("books/:isbn") { _, context in
      try await catalogs.writer.remove(try isbn(context))
      return HTTPResponse.Status.noContent
    }
    router.post("orders") { request, context in
      let order = try await request.decode(as: [OrderLine].self, context: context)
      try await catalogs.writer.sell(try order.validated())
      return HTTPResponse.Status.noContent
    }
    return router
  }

  private func isbn(_ context: BasicRequestContext) throws -> ISBN {
    let text = try context.parameters.require("isbn")
    guard let isbn = ISBN(text) else { throw ShopError.noSuchBook(isbn: text) }
    return isbn
  }
}
