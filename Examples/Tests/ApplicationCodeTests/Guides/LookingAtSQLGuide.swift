import Foundation
import SwiftData
import Testing

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum LookingAtSQLGuide {
  @Model
  final class Trip {
    #Index<Trip>([\.destination])

    var destination: String
    var start: Date
    var price: Double
    var isPlanned: Bool { start > .now }

    init() {
      destination = ""
      start = .now
      price = 0
    }
  }

  static func open() throws -> ModelContainer {
    var configuration = ModelConfiguration("trips")
    configuration.statementLogging.slowThreshold = .milliseconds(50)
    let container = try ModelContainer(for: Trip.self, configurations: configuration)
    return container
  }

  static func notice(_ configuration: inout ModelConfiguration) {
    configuration.statementLogging.blockingThreshold = .milliseconds(5)
  }

  static func explain(_ context: ModelContext) throws {
    print(try context.explain(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Paris" })))

    let descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { $0.price > 100 && $0.isPlanned }, sortBy: [SortDescriptor(\.start)])
    print(try context.explain(descriptor))

    let explanation = try context.explain(descriptor)
    #expect(!explanation.readsWholeTable)
    #expect(explanation.inMemory.isEmpty)
  }
}
