import Foundation
import Logging
import Support
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("In-memory evaluation")
struct InMemoryEvaluationTests {
  private func context() throws -> ModelContext {
    ModelContext(try Fleet.shared.get().container)
  }

  @Test("Without in-memory evaluation an error names the untranslatable part and its key path")
  func refusedPredicate() throws {
    let context = try context()
    context.allowsInMemoryEvaluation = false
    let descriptor = FetchDescriptor<Voyage>(predicate: #Predicate { $0.distance == 1 && $0.event.isStorm })
    let error = try #require(throws: SwiftDataError.self) { try context.fetch(descriptor) }
    #expect(error == .unsupportedPredicate)
    #expect(error.details?.entity == "Voyage")
    #expect(error.details?.message?.contains("Voyage.event") == true)
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetchCount(descriptor) }
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetchIdentifiers(descriptor) }
  }

  @Test("A part that is evaluated in memory is logged once, by name")
  func report() throws {
    let handler = RecordingHandler()
    let logger = Logger(label: "test") { _ in handler }
    let context = try context()
    let store = try #require(context.graph.requireBinding(for: Voyage.self).session as? RelationalSession).store
    for limit in [3, 4] {
      let descriptor = FetchDescriptor<Voyage>(predicate: #Predicate { $0.distance == limit && $0.event.isStorm })
      var failure = try #require(try RelationalQuery(descriptor, store, for: .rows).unfiltered)
      // The query has logged the original reason already.
      failure.reason += " (\(ObjectIdentifier(handler)))"
      PredicateDescription.report(failure, to: logger)
    }
    let messages = handler.messages
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("notice: Part of a predicate is evaluated in memory, because") == true)
    #expect(messages.first?.contains("Voyage.event") == true)
  }

  @Test("A sort by a computed property is logged once, with its cost")
  func reportOfSort() throws {
    let handler = RecordingHandler()
    let logger = Logger(label: "test") { _ in handler }
    let context = try context()
    let store = try #require(context.graph.requireBinding(for: Voyage.self).session as? RelationalSession).store
    for _ in 0..<2 {
      let descriptor = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.label)])
      var failure = try #require(try RelationalQuery(descriptor, store, for: .rows).unsorted)
      // The query has logged the original reason already.
      failure.reason += " (\(ObjectIdentifier(handler)))"
      PredicateDescription.reportSort(failure, to: logger)
    }
    let messages = handler.messages
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("notice: Models are sorted in memory, because") == true)
    #expect(messages.first?.contains("Set allowsInMemoryEvaluation to false to refuse it") == true)
  }

  @Test("The error names transient and computed properties", arguments: [true, false])
  func refusedProperty(isTransient: Bool) throws {
    let context = try context()
    context.allowsInMemoryEvaluation = false
    let predicate: Predicate<Voyage> =
      isTransient ? #Predicate { $0.isSelected } : #Predicate { $0.label == "a" }
    let error = try #require(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor(predicate: predicate))
    }
    #expect(error == .unsupportedPredicate)
    #expect(error.details?.property?.isEmpty == false)
  }

  @Test("A sort order that no store can apply is refused as well")
  func refusedOrder() throws {
    let context = try context()
    context.allowsInMemoryEvaluation = false
    let error = try #require(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Voyage.distance), SortDescriptor(\Voyage.label)]))
    }
    #expect(error == .unsupportedSortDescriptor)
    #expect(error.details?.property?.isEmpty == false)
  }

  @Test("Without in-memory evaluation fetches run what SQL can express")
  func translated() throws {
    let context = try context()
    let descriptor = FetchDescriptor<Voyage>(
      predicate: #Predicate { $0.distance == 1 || $0.words.contains("a") }, sortBy: [SortDescriptor(\.name)])
    let expected = try context.fetch(descriptor)
    context.allowsInMemoryEvaluation = false
    #expect(try context.fetch(descriptor) == expected)
  }

  @Test("The shape of a predicate does not depend on captured values")
  func shapes() throws {
    func shape(_ limit: Int, _ name: String) -> String {
      let predicate = #Predicate<Voyage> { $0.distance > limit && $0.captain?.name == name }
      return PredicateDescription.shape(of: predicate.expression)
    }
    #expect(shape(1, "a") == shape(2, "b"))
    #expect(
      shape(1, "a")
        == """
        Conjunction(Comparison(Voyage.distance, <Int>), \
        Equal(OptionalFlatMap(Voyage.captain, Captain.name), <Optional<String>>))
        """)
  }

  @Test("A predicate over a type outside the schema is a typed error")
  func unknownType() throws {
    let context = try context()
    let error = try #require(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor<Parcel>(predicate: #Predicate { $0.weight > 3 }))
    }
    #expect(error.details?.entity == "Parcel")
  }

  @Test("An identifier of another container matches no row")
  func foreignModel() throws {
    let other = try RandomFleet(seed: 1, size: 1)
    let id = try #require(other.voyages.first)
    let descriptor = FetchDescriptor<Voyage>(predicate: #Predicate { $0.persistentModelID == id })
    #expect(try context().fetch(descriptor).isEmpty)
  }
}
