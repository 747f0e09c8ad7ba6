import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// The examples of the guide to SQL, and its statements about them.
@Suite("The guide to SQL")
struct LookingAtSQLGuideTests {
  @Model
  final class Trip {
    #Index<Trip>([\.destination])

    var destination: String
    var start: Date
    var price: Double
    var isPlanned: Bool { start > .now }

    init(destination: String, start: Date, price: Double) {
      self.destination = destination
      self.start = start
      self.price = price
    }
  }

  private let context: ModelContext

  init() throws {
    context = ModelContext(try makeContainer(Trip.self))
    for (index, destination) in ["Paris", "Oslo", "Paris"].enumerated() {
      context.insert(Trip(destination: destination, start: .now, price: Double(index) * 100))
    }
    try context.save()
  }

  /// Whether the guide shows the description of an explanation, in lines of any length.
  private func shows(_ explanation: FetchExplanation) throws -> Bool {
    func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let guide = root.appending(path: "Sources/SwiftData/SwiftData.docc/LookingAtSQL.md")
    return try words(String(contentsOf: guide, encoding: .utf8)).contains(words("```text\n\(explanation)\n```"))
  }

  @Test("A fetch by an indexed property searches the index with SQL only")
  func indexed() throws {
    let explanation = try context.explain(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Paris" }))
    #expect(explanation.indexes == ["Trip_destination"])
    #expect(!explanation.readsWholeTable && explanation.inMemory.isEmpty)
    #expect(explanation.sql.contains("WHERE") && !explanation.sql.contains("Paris"))
    #expect(try shows(explanation), "\(explanation)")
  }

  @Test("A computed property is evaluated in memory, and the rest of the predicate in SQL")
  func computed() throws {
    let descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { $0.price > 100 && $0.isPlanned }, sortBy: [SortDescriptor(\.start)])
    let explanation = try context.explain(descriptor)
    #expect(explanation.readsWholeTable)
    #expect(explanation.inMemory.map(\.kind) == [.predicate])
    #expect(explanation.sql.contains("\"price\""))
    #expect(try shows(explanation), "\(explanation)")
    context.allowsInMemoryEvaluation = false
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.explain(descriptor) }
  }
}
