import Foundation
import Observation
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Batch updates")
struct BatchUpdateTests {
  private typealias Article = Bulk.Article
  private typealias Device = Bulk.Device
  private typealias Shelf = Bulk.Shelf

  private let container: ModelContainer
  private let log = StatementLog()

  init() throws {
    container = try Bulk.makeContainer(log)
    let context = ModelContext(container)
    let shelves = [Shelf(1), Shelf(2)]
    for shelf in shelves { context.insert(shelf) }
    for index in 0..<10 {
      let article = index % 3 == 2 ? Device("d\(index)", count: index, volts: 12) : Article("a\(index)", count: index)
      context.insert(article)
      article.price = Double(index)
      article.note = index % 2 == 0 ? nil : "note \(index)"
      article.shelf = shelves[index % 2]
    }
    try context.save()
  }

  /// The values of a property, by the names of the articles.
  private func values<Value>(_ keyPath: KeyPath<Bulk.Article, Value>) throws -> [Value] {
    try container.freshContext().all(Article.self, by: \.name).map { $0[keyPath: keyPath] }
  }

  @Test("A batch update sets values in the matching rows only, and returns their number")
  func selection() throws {
    let context = container.freshContext()
    let count = try context.update(Article.self, where: #Predicate { $0.count >= 7 }) { $0.set(\.isSold, to: true) }
    #expect(count == 3)
    #expect(try values(\.isSold).count { $0 } == 3)
    #expect(try context.update(Article.self) { $0.set(\.isSold, to: false) } == 10)
    #expect(try !values(\.isSold).contains(true))
    #expect(try context.update(Article.self, where: #Predicate { $0.count > 99 }) { $0.set(\.count, to: 1) } == 0)
    #expect(try context.update(Article.self) { _ in } == 0)
    #expect(!context.hasChanges)
  }

  @Test("One statement finds the rows, and one changes them")
  func statements() throws {
    let context = container.freshContext()
    let queries = try log.queries {
      try context.update(Article.self, where: #Predicate { $0.count > 2 }) { $0.set(\.note, to: "x") }
    }
    #expect(queries.count == 1)
    #expect(log.statements(of: "UPDATE").count == 1)
  }

  @Test("Properties of every kind can be set to values and nil")
  func constants() throws {
    let context = container.freshContext()
    let code = UUID()
    try context.update(Article.self) {
      $0.set(\.name, to: "same")
      $0.set(\.tiny, to: -128)
      $0.set(\.wide, to: .max)
      $0.set(\.price, to: .nan)
      $0.set(\.ratio, to: 0.5)
      $0.set(\.cost, to: Decimal(string: "12.340") ?? 0)
      $0.set(\.state, to: .used)
      $0.set(\.formerState, to: .new)
      $0.set(\.size, to: Bulk.Size(width: 3, height: 4))
      $0.set(\.box, to: Bulk.Size(width: 5))
      $0.set(\.origin, to: .place("Bern"))
      $0.set(\.labels, to: ["a", "b"])
      $0.set(\.code, to: code)
      $0.set(\.link, to: URL(string: "https://example.org"))
      $0.set(\.day, to: .distantPast)
      $0.set(\.title, to: "t\0\u{e9}")
    }
    for article in try container.freshContext().fetch(FetchDescriptor<Article>()) {
      #expect(article.name == "same" && article.tiny == -128 && article.wide == .max && article.price.isNaN)
      #expect(article.ratio == 0.5 && article.cost == Decimal(string: "12.34") && article.state == .used)
      #expect(article.formerState == .new && article.size == Bulk.Size(width: 3, height: 4))
      #expect(article.box == Bulk.Size(width: 5) && article.origin == .place("Bern") && article.labels == ["a", "b"])
      #expect(article.code == code && article.link?.host == "example.org" && article.day == .distantPast)
      #expect(article.title == "t\0\u{e9}")
    }
    try context.update(Article.self) {
      $0.set(\.ratio, to: nil)
      $0.set(\.formerState, to: nil)
      $0.set(\.box, to: nil)
      $0.set(\.code, to: nil)
      $0.set(\.note, to: nil)
    }
    for article in try container.freshContext().fetch(FetchDescriptor<Article>()) {
      #expect(article.ratio == nil && article.formerState == nil && article.box == nil && article.code == nil)
      #expect(article.note == nil && article.origin == .place("Bern"))
    }
  }

  @Test("Expressions use the row's values before the update")
  func expressions() throws {
    let context = container.freshContext()
    try context.update(Article.self) {
      $0.set(\.count, to: #Expression<Bulk.Article, Int> { $0.count * 2 + 1 })
      $0.set(\.price, to: #Expression<Bulk.Article, Double> { $0.price / 0 })
      $0.set(\.ratio, to: #Expression<Bulk.Article, Double> { $0.price * 0.5 })
      $0.set(\.title, to: #Expression<Bulk.Article, String> { $0.name })
      $0.set(\.isSold, to: #Expression<Bulk.Article, Bool> { $0.count > 4 })
      $0.set(\.formerState, to: #Expression<Bulk.Article, Bulk.State> { $0.state })
      $0.set(\.state, to: .used)
      $0.set(\.tiny, to: #Expression<Bulk.Article, Int8> { $0.tiny + 5 })
    }
    #expect(try values(\.count) == [1, 3, 7, 9, 13, 15, 19, 5, 11, 17])
    #expect(try values(\.price).count { $0 == .infinity } == 9)
    #expect(try values(\.price).count { $0.isNaN } == 1)
    #expect(try values(\.ratio) == [0, 0.5, 1.5, 2, 3, 3.5, 4.5, 1, 2.5, 4])
    #expect(try values(\.title) == values(\.name))
    #expect(try values(\.isSold) == [false, false, false, false, true, true, true, false, true, true])
    #expect(try values(\.formerState).allSatisfy { $0 == .new })
    #expect(try values(\.tiny).allSatisfy { $0 == 5 })
  }

  @Test("Expressions may use related models, of the same table too")
  func related() throws {
    let context = container.freshContext()
    try context.update(Article.self) {
      $0.set(\.count, to: #Expression<Bulk.Article, Int> { $0.shelf?.number ?? -1 })
    }
    #expect(Set(try values(\.count)) == [1, 2])
    let chain = (10..<14).map { Shelf($0) }
    for shelf in chain { context.insert(shelf) }
    for (shelf, below) in zip(chain.dropFirst(), chain) { shelf.below = below }
    try context.save()
    try context.update(Shelf.self, where: #Predicate { $0.number >= 10 }) {
      $0.set(\.number, to: #Expression<Bulk.Shelf, Int> { $0.below?.number ?? 100 })
    }
    #expect(chain.map(\.number) == [100, 10, 11, 12])
    #expect(try container.freshContext().all(Shelf.self, by: \.number).map(\.number) == [1, 2, 10, 11, 12, 100])
  }

  @Test("A batch update of a class includes subclasses, and subclasses can be updated separately")
  func inheritance() throws {
    let context = container.freshContext()
    let device = try #require(try context.fetch(FetchDescriptor<Device>()).first)
    #expect(
      try context.update(Device.self, where: #Predicate { $0.volts == 12 }) {
        $0.set(\.volts, to: 230)
        $0.set(\.count, to: -1)
      } == 3)
    #expect(device.volts == 230 && device.count == -1)
    #expect(try values(\.count).count { $0 == -1 } == 3)
    #expect(try context.update(Article.self) { $0.set(\.count, to: 0) } == 10)
    #expect(device.count == 0)
  }

  @Test("A predicate without translation is evaluated in memory with saved values")
  func inMemory() throws {
    let context = container.freshContext()
    let article = try #require(try context.all(Article.self, by: \.name).first)
    article.count = 9
    let unknown = Bulk.Origin.unknown
    let count = try context.update(Article.self, where: #Predicate { $0.origin == unknown && $0.count > 7 }) {
      $0.set(\.note, to: "found")
    }
    #expect(count == 2)
    #expect(article.count == 9 && article.note == nil && context.hasChanges)
    context.allowsInMemoryEvaluation = false
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.update(Article.self, where: #Predicate { $0.isOpen }) { $0.set(\.note, to: "open") }
    }
  }

  @Test("A batch update ignores unsaved changes, which are kept and win when they are saved")
  func unsavedChanges() throws {
    let context = container.freshContext()
    let articles = try context.all(Article.self, by: \.name)
    let new = Article("new", count: 100)
    context.insert(new)
    articles[0].count = 100
    articles[1].note = "mine"
    context.delete(articles[2])
    #expect(
      try context.update(Article.self) {
        $0.set(\.count, to: 50)
        $0.set(\.note, to: "theirs")
      } == 10)
    #expect(articles[0].count == 100 && articles[0].note == "theirs")
    #expect(articles[1].count == 50 && articles[1].note == "mine")
    #expect(new.count == 100 && new.note == nil)
    context.rollback()
    #expect(articles[0].count == 50 && articles[1].note == "theirs" && articles[2].count == 50)
    articles[0].count = 1
    try context.update(Article.self) { $0.set(\.count, to: 2) }
    try context.save()
    #expect(try values(\.count).sorted() == [1] + Array(repeating: 2, count: 9))
  }

  @Test(
    "Other contexts get change notifications of a batch update, even of more rows than an inbox lists",
    arguments: [10, 6000])
  func otherContexts(count: Int) throws {
    let filling = container.freshContext()
    for index in 10..<max(10, count) { filling.insert(Article("x\(index)", count: index)) }
    try filling.save()
    let (one, other) = (container.freshContext(), container.freshContext())
    let held = try other.fetch(FetchDescriptor<Article>())
    let mine = try one.fetch(FetchDescriptor<Article>())
    held[0].note = "pending"
    #expect(try one.update(Article.self) { $0.set(\.title, to: "new") } == count)
    #expect(mine.allSatisfy { $0.title == "new" })
    other.processPendingChanges()
    #expect(held.allSatisfy { $0.title == "new" })
    #expect(held[0].note == "pending")
  }

  @Test("Observers are notified of the new values")
  func observation() throws {
    let context = container.freshContext()
    let article = try #require(try context.all(Article.self, by: \.name).first)
    let isNotified = Mutex(false)
    withObservationTracking {
      _ = article.count
    } onChange: {
      isNotified.withLock { $0 = true }
    }
    try context.update(Article.self) { $0.set(\.count, to: 77) }
    #expect(isNotified.withLock { $0 })
    #expect(article.count == 77)
  }
}
