import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Notifications of batch updates")
struct BatchUpdateNotificationTests {
  private typealias Article = Bulk.Article

  private let container: ModelContainer

  init() throws {
    container = try Bulk.makeContainer()
    let context = ModelContext(container)
    for index in 0..<3 { context.insert(Article("a\(index)", count: index)) }
    context.insert(Bulk.Device("d", count: 3, volts: 12))
    try context.save()
  }

  @Test("A batch update posts willSave, then didSave with the identifiers of its rows and its history token")
  func posted() throws {
    let context = container.freshContext()
    let articles = try context.fetch(FetchDescriptor<Article>())
    let observed = PostedSaves(context)
    var titles: Set<String> = []
    observed.onSave = { titles = Set(articles.filter { $0.count > 0 }.map(\.title)) }
    let unsaved = Article("unsaved", count: 100)
    context.insert(unsaved)
    let count = try context.update(Article.self, where: #Predicate { $0.count > 0 }) { $0.set(\.title, to: "new") }
    #expect(count == 3)
    #expect(observed.names == [ModelContext.willSave, ModelContext.didSave])
    let expected = Set(articles.filter { $0.count > 0 }.map(\.persistentModelID))
    #expect(expected.count == 3)
    #expect(observed.identifiers(.updatedIdentifiers) == [expected])
    #expect(observed.identifiers(.insertedIdentifiers) == [[]])
    #expect(observed.identifiers(.deletedIdentifiers) == [[]])
    #expect(observed.identifiers(.invalidatedAllIdentifiers) == [nil])
    // The models have the new values by then.
    #expect(titles == ["new"])
    let last = try #require(try context.logged().last)
    let tokens = observed.userInfos.first?["historyTokens"] as? [String: any HistoryToken]
    #expect(tokens?[last.storeIdentifier] as? DefaultHistoryToken == last.token)
    #expect(unsaved.modelContext === context && context.hasChanges)
  }

  @Test("A batch update without matches only posts willSave, and one without changes posts nothing")
  func nothing() throws {
    let context = container.freshContext()
    let observed = PostedSaves(context)
    try context.update(Article.self) { _ in }
    #expect(observed.names.isEmpty)
    try context.update(Article.self, where: #Predicate { $0.count > 99 }) { $0.set(\.title, to: "new") }
    #expect(observed.names == [ModelContext.willSave])
  }

  @Test("A failed batch update posts no didSave")
  func failure() throws {
    let context = container.freshContext()
    for number in 1...2 { context.insert(Bulk.Rank(number, name: "\(number)")) }
    try context.save()
    let observed = PostedSaves(context)
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Bulk.Rank.self) { $0.set(\.place, to: 1) }
    }
    #expect(observed.names == [ModelContext.willSave])
  }

  @Test("An observer of a batch update can fetch and save")
  func handler() throws {
    let context = container.freshContext()
    let observed = PostedSaves(context)
    observed.onSave = {
      observed.onSave = {}
      for article in try context.fetch(FetchDescriptor<Article>()) { article.note = article.title }
      try context.save()
    }
    try context.update(Article.self) { $0.set(\.title, to: "new") }
    #expect(observed.identifiers(.updatedIdentifiers).map { $0?.count } == [4, 4])
    let notes = try container.freshContext().fetch(FetchDescriptor<Article>()).map(\.note)
    #expect(notes == Array(repeating: "new", count: 4))
    #expect(!context.hasChanges)
  }
}
