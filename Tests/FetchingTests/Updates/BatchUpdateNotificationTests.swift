import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Notifications of updates of rows")
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

  @Test("An update posts willSave, then didSave with the identifiers of its rows and its place in the history")
  func posted() throws {
    let context = container.freshContext()
    let articles = try context.fetch(FetchDescriptor<Article>())
    let heard = HeardSaves(context)
    var titles: Set<String> = []
    heard.onSave = { titles = Set(articles.filter { $0.count > 0 }.map(\.title)) }
    let unsaved = Article("unsaved", count: 100)
    context.insert(unsaved)
    let count = try context.update(Article.self, where: #Predicate { $0.count > 0 }) { $0.set(\.title, to: "new") }
    #expect(count == 3)
    #expect(heard.names == [ModelContext.willSave, ModelContext.didSave])
    let expected = Set(articles.filter { $0.count > 0 }.map(\.persistentModelID))
    #expect(expected.count == 3)
    #expect(heard.identifiers(.updatedIdentifiers) == [expected])
    #expect(heard.identifiers(.insertedIdentifiers) == [[]])
    #expect(heard.identifiers(.deletedIdentifiers) == [[]])
    #expect(heard.identifiers(.invalidatedAllIdentifiers) == [nil])
    // The models have the new values by then.
    #expect(titles == ["new"])
    let last = try #require(try context.logged().last)
    let tokens = heard.userInfos.first?["historyTokens"] as? [String: any HistoryToken]
    #expect(tokens?[last.storeIdentifier] as? DefaultHistoryToken == last.token)
    #expect(unsaved.modelContext === context && context.hasChanges)
  }

  @Test("Where no row is selected, only willSave is posted, and where nothing is set, nothing is")
  func nothing() throws {
    let context = container.freshContext()
    let heard = HeardSaves(context)
    try context.update(Article.self) { _ in }
    #expect(heard.names.isEmpty)
    try context.update(Article.self, where: #Predicate { $0.count > 99 }) { $0.set(\.title, to: "new") }
    #expect(heard.names == [ModelContext.willSave])
  }

  @Test("An update that fails posts no didSave")
  func failure() throws {
    let context = container.freshContext()
    for number in 1...2 { context.insert(Bulk.Rank(number, name: "\(number)")) }
    try context.save()
    let heard = HeardSaves(context)
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Bulk.Rank.self) { $0.set(\.place, to: 1) }
    }
    #expect(heard.names == [ModelContext.willSave])
  }

  @Test("Whoever hears of an update can fetch and save")
  func handler() throws {
    let context = container.freshContext()
    let heard = HeardSaves(context)
    heard.onSave = {
      heard.onSave = {}
      for article in try context.fetch(FetchDescriptor<Article>()) { article.note = article.title }
      try context.save()
    }
    try context.update(Article.self) { $0.set(\.title, to: "new") }
    #expect(heard.identifiers(.updatedIdentifiers).map { $0?.count } == [4, 4])
    let notes = try container.freshContext().fetch(FetchDescriptor<Article>()).map(\.note)
    #expect(notes == Array(repeating: "new", count: 4))
    #expect(!context.hasChanges)
  }
}
