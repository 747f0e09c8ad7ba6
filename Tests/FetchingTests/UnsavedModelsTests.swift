import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Fetches with many unsaved models")
struct UnsavedModelsTests {
  private typealias Article = Bulk.Article
  private typealias Device = Bulk.Device
  private typealias Shelf = Bulk.Shelf

  private let log = StatementLog()

  /// Inserts articles, more than the threshold for an index.
  private func insert(_ count: Int, into context: ModelContext) -> [Bulk.Article] {
    (0..<count).map { number in
      let article = Article("\(number)", count: number)
      context.insert(article)
      return article
    }
  }

  private func fetch(count: Int, _ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.count == count })).map(\.name)
  }

  @Test("An inserted model is found by its current values only")
  func changedValues() throws {
    let context = ModelContext(try Bulk.makeContainer())
    let articles = insert(100, into: context)
    #expect(try fetch(count: 7, context) == ["7"])
    articles[7].count = 1000
    articles[9].count = 1000
    articles[3].count = 1000
    articles[3].count = 3
    #expect(try fetch(count: 7, context) == [])
    #expect(try fetch(count: 1000, context) == ["7", "9"])
    #expect(try fetch(count: 3, context) == ["3"])
    articles[9].count = 9
    #expect(try fetch(count: 1000, context) == ["7"])
    #expect(try fetch(count: 9, context) == ["9"])
    context.delete(articles[9])
    #expect(try fetch(count: 9, context) == [])
    context.insert(Article("new", count: 9))
    #expect(try fetch(count: 9, context) == ["new"])
  }

  @Test("Models that are inserted after all others were removed are found")
  func newList() throws {
    let context = ModelContext(try Bulk.makeContainer())
    for round in 0..<3 {
      let articles = insert(40, into: context)
      #expect(try fetch(count: 5, context) == ["5"])
      if round == 1 { try context.save() } else { context.rollback() }
      #expect(try fetch(count: 5, context).count == (round == 1 ? 1 : 0))
      withExtendedLifetime(articles) {}
      try context.delete(model: Article.self)
      try context.save()
    }
  }

  @Test("A model whose value changes repeatedly is found by the last one")
  func wornIndex() throws {
    let context = ModelContext(try Bulk.makeContainer())
    let articles = insert(40, into: context)
    for number in 0..<200 {
      #expect(try fetch(count: 5000 + number, context) == [])
      articles[number % 3].count = 5000 + number
      #expect(try fetch(count: 5000 + number, context) == ["\(number % 3)"])
    }
  }

  @Test("Inserted models of a subclass are found among those of the class, and not vice versa")
  func subclasses() throws {
    let context = ModelContext(try Bulk.makeContainer())
    for number in 0..<40 {
      context.insert(number % 2 == 0 ? Article("a", count: number / 2) : Device("d", count: number / 2, volts: 1))
    }
    #expect(try fetch(count: 3, context) == ["a", "d"])
    #expect(try context.fetch(FetchDescriptor<Device>(predicate: #Predicate { $0.count == 3 })).map(\.name) == ["d"])
    #expect(try context.fetch(FetchDescriptor<Device>(predicate: #Predicate { $0.volts == 1 })).count == 20)
  }

  @Test("The store evaluates a fetch when changed properties do not affect it")
  func unconcernedChanges() throws {
    let container = try Bulk.makeContainer(log)
    let context = ModelContext(container)
    let articles = insert(50, into: context)
    try context.save()
    for article in articles { article.title = "changed" }
    let descriptor = FetchDescriptor<Article>(predicate: #Predicate { $0.count < 10 })
    var count = 0
    let queries = try log.queries { count = try context.fetchCount(descriptor) }
    #expect(count == 10)
    #expect(queries.allSatisfy { $0.hasPrefix("SELECT count") })
    // A change that affects the fetch is included.
    articles[0].count = 100
    #expect(try context.fetchCount(descriptor) == 9)
    articles[1].price = 5
    #expect(try context.fetchCount(descriptor) == 9)
    #expect(try context.fetchAggregates(.sum(of: \Article.price)) == 5)
    let sorted = FetchDescriptor<Article>(sortBy: [SortDescriptor(\.title, order: .reverse), SortDescriptor(\.count)])
    articles[5].title = "z"
    #expect(try context.fetch(sorted).first === articles[5])
    var first = sorted
    first.fetchLimit = 1
    #expect(try context.fetch(first).first === articles[5])
  }

  /// A random program, with expected results from all models.
  private struct Program {
    let context: ModelContext
    var random: SeededGenerator
    var there: [Bulk.Article] = []
    var saved: [Bulk.Article] = []

    mutating func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    mutating func step() throws {
      switch draw(14) {
      case 0...4:
        let article = draw(3) == 0 ? Device("n\(draw(9))", count: draw(9), volts: draw(3)) : Article("", count: draw(9))
        if draw(2) == 0 { article.note = "x\(draw(4))" }
        context.insert(article)
        there.append(article)
      case 5...9:
        if there.isEmpty { return }
        let article = there[draw(there.count)]
        switch draw(5) {
        case 0: article.name = "n\(draw(9))"
        case 1: article.count = draw(9)
        case 2: article.note = draw(2) == 0 ? nil : "x\(draw(4))"
        case 3: article.state = draw(2) == 0 ? .new : .used
        default: article.title = "\(10 + draw(90))"
        }
      case 10:
        if there.count < 40 { return }
        let article = there.remove(at: draw(there.count))
        context.delete(article)
      case 11:
        if draw(6) > 0 { return }
        try context.save()
        saved = there
      case 12:
        if draw(12) > 0 { return }
        context.rollback()
        there = try context.fetch(FetchDescriptor<Article>())
        #expect(Set(there.map(\.persistentModelID)) == Set(saved.map(\.persistentModelID)))
      default: try look()
      }
    }

    mutating func look() throws {
      let (count, name, note) = (draw(9), "n\(draw(9))", draw(3) == 0 ? nil : "x\(draw(4))")
      let used = Bulk.State.used
      let predicates: [Predicate<Article>] = [
        #Predicate { $0.count == count }, #Predicate { $0.name == name && $0.count > 2 },
        #Predicate { $0.note == note },
        #Predicate { count == $0.count && $0.note == note }, #Predicate { $0.count == count || $0.name == name },
        #Predicate { $0.state == used }, #Predicate { $0.count != count },
      ]
      let predicate = predicates[draw(predicates.count)]
      var descriptor = FetchDescriptor(predicate: predicate)
      let expected = try there.filter(predicate.evaluate)
      #expect(try context.fetchCount(descriptor) == expected.count)
      #expect(
        Set(try context.fetch(descriptor).map { ObjectIdentifier($0) }) == Set(expected.map { ObjectIdentifier($0) }))
      descriptor.sortBy = [SortDescriptor(\.title), SortDescriptor(\.count), SortDescriptor(\.name)]
      descriptor.fetchLimit = 1 + draw(5)
      descriptor.fetchOffset = draw(3)
      let page = expected.map { [$0.title, "\($0.count)", $0.name] }.sorted { $0.lexicographicallyPrecedes($1) }
        .dropFirst(descriptor.fetchOffset ?? 0).prefix(descriptor.fetchLimit ?? 0)
      #expect(try context.fetch(descriptor).map { [$0.title, "\($0.count)", $0.name] } == Array(page))
    }
  }

  @Test("A fetch finds the same models as filtering all of them", arguments: 0..<4 * TestOptions.programs)
  func program(number: Int) throws {
    let context = ModelContext(try Bulk.makeContainer())
    context.autosaveEnabled = false
    var program = Program(context: context, random: SeededGenerator(seed: UInt64(number)))
    for _ in 0..<600 { try program.step() }
  }
}
