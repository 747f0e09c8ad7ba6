import Foundation
import Hummingbird

/// The routes that return pages.
struct PageRoutes {
  let document: OpenDocument
  let feeds: Feeds
  let token: String

  func add(to router: Router<BasicRequestContext>) {
    router.get("") { request, _ in
      Response(page: try await main(PageQuery(request)))
    }
    router.get("study") { request, _ in
      do {
        return Response(page: try await study(request.uri.queryParameters["deck"].map(String.init)))
      } catch CardError.gone {
        let page = await template.message("This deck is gone", "It was deleted, perhaps on another page.")
        return Response(page: page, status: .notFound)
      }
    }
  }

  @MainActor
  private var template: PageTemplate {
    PageTemplate(title: document.document.displayName, token: token, state: document.state)
  }

  @MainActor
  private func main(_ query: PageQuery) throws -> HTML {
    template.main(try feeds.content(query))
  }

  @MainActor
  private func study(_ deck: String?) throws -> HTML {
    guard let deck, !deck.isEmpty else { return template.study(try document.study(nil)) }
    guard let key = UUID(uuidString: deck) else { throw CardError.gone("deck") }
    return template.study(try document.study(key))
  }
}

extension PageQuery {
  init(_ request: Request) {
    let fields = Form(request.uri.query ?? "")
    self.init(search: fields.value("search"), limit: fields.value("limit").flatMap { Int($0) })
  }
}
