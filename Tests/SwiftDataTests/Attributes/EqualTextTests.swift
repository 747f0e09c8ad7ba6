import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Texts that are equal with different bytes")
struct EqualTextTests {
  private typealias Page = Forms.Page
  private typealias Chapter = Forms.Chapter
  private let container: ModelContainer

  init() throws {
    container = try makeContainer(Page.self, Chapter.self)
  }

  private func save(_ models: any PersistentModel...) throws {
    let context = container.freshContext()
    for model in models { insert(model, context) }
    try context.save()
  }

  private func insert(_ model: some PersistentModel, _ context: ModelContext) {
    context.insert(model)
  }

  private func pages() throws -> [Forms.Page] {
    try container.freshContext().all(Page.self, by: \.title)
  }

  @Test("An upsert matches a unique text in either form", arguments: [true, false])
  func upserts(isComposedFirst: Bool) throws {
    let forms = isComposedFirst ? [Forms.composed, Forms.decomposed] : [Forms.decomposed, Forms.composed]
    try save(Page(forms[0], count: 1))
    try save(Page(forms[1], count: 2))
    #expect(try pages().map(\.count) == [2])
    #expect(try pages().map(\.title) == [Forms.composed])
    try save(Chapter("1", heading: forms[0], tag: forms[1]))
    try save(Chapter("2", heading: forms[1], tag: forms[0]))
    #expect(try container.freshContext().fetch(FetchDescriptor<Forms.Chapter>()).map(\.title) == ["2"])
  }

  @Test("Two models of one save with equal unique texts are one row")
  func oneSave() throws {
    try save(Page(Forms.decomposed, count: 1), Page(Forms.composed, count: 2), Page("cafe", count: 3))
    #expect(try pages().map(\.count) == [3, 2])
  }

  @Test("Changing to a unique text that another row has in another form is refused")
  func changes() throws {
    try save(Page(Forms.composed), Page("tea"))
    let context = container.freshContext()
    let tea = try #require(try context.all(Page.self, by: \.title).last)
    tea.title = Forms.decomposed
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.rollback()
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Page.self, where: #Predicate { $0.title == "tea" }) { $0.set(\.title, to: Forms.decomposed) }
    }
    try context.update(Page.self, where: #Predicate { $0.title == "tea" }) { $0.set(\.title, to: "e\u{301}") }
    try save(Page("\u{e9}", count: 5))
    #expect(try pages().map(\.count).sorted() == [0, 5])
  }

  @Test("Values made from a text compare in SQL as in memory")
  func rawValues() throws {
    let words = [Forms.composed, Forms.decomposed, "tea", "K", "\u{212A}", ""]
    let context = container.freshContext()
    for (index, word) in words.enumerated() { context.insert(Page("\(index)", word, count: index)) }
    try context.save()
    let all = try pages()
    for word in words {
      let sought = Forms.Word(rawValue: word)
      for _ in 0..<3 {
        let predicates = [
          #Predicate<Forms.Page> { $0.word == sought }, #Predicate<Forms.Page> { $0.word != sought },
          #Predicate<Forms.Page> { $0.former == sought }, #Predicate<Forms.Page> { $0.former != sought },
        ]
        for predicate in predicates {
          let found = try container.freshContext().fetch(
            FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.count)]))
          #expect(try found.map(\.count) == all.filter { try predicate.evaluate($0) }.map(\.count).sorted(), "\(word)")
        }
      }
    }
    let same = #Predicate<Forms.Page> { $0.word == $0.twin }
    #expect(try container.freshContext().fetchCount(FetchDescriptor(predicate: same)) == 6)
  }

  @Test("Groups, counts and distinct values compare texts as sets do")
  func groups() throws {
    for (index, word) in [Forms.composed, Forms.decomposed, "tea", "tea"].enumerated() {
      try save(Page("\(index)", word, street: word))
    }
    let context = container.freshContext()
    #expect(try context.fetchAggregates(.distinctCount(of: \Forms.Page.word)) == 2)
    #expect(Set(try context.fetchDistinct(of: \Forms.Page.word).map(\.rawValue)) == [Forms.composed, "tea"])
    #expect(try context.fetchDistinct(of: \Forms.Page.address.street).count == 2)
    #expect(try context.fetchGroups(by: \Forms.Page.word, computing: .count).map(\.value) == [2, 2])
    context.insert(Page("4", Forms.decomposed))
    #expect(try context.fetchGroups(by: \Forms.Page.word, computing: .count).map(\.value).sorted() == [2, 3])
  }
}
