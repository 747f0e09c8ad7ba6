import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Predicates of the same shape share their SQL")
struct PredicateTemplateTests {
  private static let store = Result { try RandomFleet(seed: 7, size: 4) }

  private let context: ModelContext
  private let store: RelationalStore
  private let translator: PredicateTranslator

  init() throws {
    context = try Self.store.get().container.freshContext()
    store = try #require(context.graph.requireBinding(for: Voyage.self).session as? RelationalSession).store
    let layout = try #require(store.layout.layout(named: "Voyage"))
    translator = PredicateTranslator(layout: store.layout, entity: layout, store: store.identifier)
  }

  private func shape(_ predicate: Predicate<Voyage>) -> PredicateShape? {
    PredicateShape(of: predicate, entity: translator.entity.ordinal)
  }

  private func sql(_ translated: TranslatedPredicate) -> RenderedStatement? {
    translated.condition.map { store.database.dialect.render($0) }
  }

  @Test("A template made with other values gives the SQL of a random predicate")
  func randomPredicates() throws {
    let fleet = try Self.store.get()
    var templateCount = 0
    for seed in 0..<3000 as Range<UInt64> {
      let predicate = PredicateGenerator.predicate(fleet, seed: seed)
      guard let shape = shape(predicate) else { continue }
      let (first, second) = (CaptureRecorder(firstProbe: 0), CaptureRecorder(firstProbe: 500))
      let template = try PredicateTemplate(store.database.dialect, first, second) {
        try translator.translate(predicate, $0)
      }
      let asked = CaptureRecorder()
      let direct = try translator.translate(predicate, asked)
      guard let template, asked.captured == shape.captured else { continue }
      templateCount += 1
      let filled = template.filled(with: shape.captured)
      #expect(sql(filled) == sql(direct), "\(seed): \(PredicateDescription.shape(of: predicate.expression))")
    }
    #expect(templateCount > 300)
  }

  @Test("Fetches with the same shape and other values give their own results")
  func fetches() throws {
    let container = try makeLibrary()
    let context = container.freshContext()
    for number in 0..<50 { context.insert(Book(isbn: "i\(number)", title: "title \(number % 7)", pages: number)) }
    try context.save()
    func titles(_ title: String, _ limit: Int, _ excluded: String) throws -> [Int] {
      try context.fetch(
        FetchDescriptor<Book>(
          predicate: #Predicate { $0.title == title && $0.pages > limit && !$0.isbn.contains(excluded) },
          sortBy: [SortDescriptor(\.pages)])
      ).map(\.pages)
    }
    for round in 0..<12 {
      let (title, limit) = (round % 5 == 4 ? "Kelvin" : "title \(round % 7)", round * 3)
      let expected = (0..<50).filter { "title \($0 % 7)" == title && $0 > limit && !"i\($0)".contains("i\(round)") }
      #expect(try titles(title, limit, "i\(round)") == expected)
    }
  }

  @Test("A shape that was seen twice becomes a template with bound values")
  func template() throws {
    let cache = PredicateCache()
    var remembering = translator
    remembering.memory = (cache, store.database.dialect)
    var statements: [RenderedStatement] = []
    for number in [4, 5, 6, 7] {
      let predicate = #Predicate<Voyage> { $0.distance < number && $0.name == "Argo" && $0.distance != number }
      statements.append(try #require(sql(try remembering.translate(predicate))))
      let known = cache.known(of: try #require(shape(predicate)).key)
      switch (number, known) {
      case (4, .seen), (5..., .template): break
      default: Issue.record("\(number): \(known)")
      }
    }
    #expect(Set(statements.map(\.sql)).count == 1)
    #expect(
      statements.map(\.parameters) == [4, 5, 6, 7].map { [.integer($0), .text("Argo"), .integer($0)] })
  }

  @Test("A template is kept while many shapes are seen once")
  func eviction() throws {
    let cache = PredicateCache()
    var remembering = translator
    remembering.memory = (cache, store.database.dialect)
    let fleet = try Self.store.get()
    let kept = #Predicate<Voyage> { $0.distance < 4 }
    for _ in 0..<2 { _ = try remembering.translate(kept) }
    var others = Set<PredicateShape.Key>()
    for seed in 10_000..<16_000 as Range<UInt64> where others.count < 600 {
      let predicate = PredicateGenerator.predicate(fleet, seed: seed)
      guard let key = shape(predicate)?.key, others.insert(key).inserted else { continue }
      _ = try remembering.translate(predicate)
    }
    #expect(others.count == 600)
    guard case .template = cache.known(of: try #require(shape(kept)).key) else {
      Issue.record("The template is gone.")
      return
    }
  }

  @Test("Predicates whose SQL differs have different shapes, or none")
  func differences() throws {
    let (one, none, truth, lie) = (1 as Int?, nil as Int?, true, false)
    let (few, many) = ([1, 2], [1, 2, 3])
    let lookalikes: [Predicate<Voyage>] = [
      #Predicate { $0.distance < 1 }, #Predicate { $0.distance <= 1 }, #Predicate { $0.distance > 1 },
      #Predicate { $0.crew == one }, #Predicate { $0.crew == none }, #Predicate { $0.crew != one },
      #Predicate { $0.isOpen == truth }, #Predicate { $0.isOpen == lie },
      #Predicate { $0.name == "a" }, #Predicate { $0.note == "a" },
      #Predicate { $0.harbors.contains { harbor in harbor.voyages.contains { $0.distance < harbor.depth } } },
      #Predicate { voyage in
        voyage.harbors.contains { harbor in harbor.voyages.contains { _ in voyage.distance < harbor.depth } }
      },
    ]
    let keys = try lookalikes.map { try #require(shape($0)).key }
    #expect(Set(keys).count == keys.count)
    #expect(shape(#Predicate { $0.name == "Kelvin" }) == nil)
    #expect(shape(#Predicate { $0.speed == 0 }) == nil)
    #expect(shape(#Predicate { few.contains($0.distance) }) == nil)
    #expect(shape(#Predicate { many.contains($0.distance) }) == nil)
  }
}
