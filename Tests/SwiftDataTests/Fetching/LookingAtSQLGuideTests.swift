import Foundation
import Logging
import Testing

@testable import SwiftData

/// The examples of the guide to SQL, with what they print.
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
    let container = try makeContainer(Trip.self)
    context = ModelContext(container)
    for (index, destination) in ["Paris", "Oslo", "Paris"].enumerated() {
      context.insert(Trip(destination: destination, start: .now, price: Double(index) * 100))
    }
    try context.save()
  }

  @Test("Print them")
  func printed() throws {
    print("== 1\n\(try context.explain(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Paris" })))")
    print(
      "== 2\n\(try context.explain(FetchDescriptor<Trip>(predicate: #Predicate { $0.price > 100 && $0.isPlanned }, sortBy: [SortDescriptor(\.start)])))"
    )
    let logger = Logger(label: "swiftdata.sql") {
      var handler = StreamLogHandler.standardOutput(label: $0)
      handler.logLevel = .trace
      return handler
    }
    var configuration = ModelConfiguration("trips", isStoredInMemoryOnly: true)
    configuration.statementLogging.slowThreshold = .milliseconds(50)
    let container = try StatementObservation.$logger.withValue(logger) {
      try ModelContainer(for: Trip.self, configurations: configuration)
    }
    print("== 3")
    let other = ModelContext(container)
    other.insert(Trip(destination: "Paris", start: .now, price: 100))
    try other.save()
    _ = try other.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Paris" }))
    print("== 4")
  }

  @Test("Write a file")
  func file() throws {
    let url = URL(fileURLWithPath: NSTemporaryDirectory() + "h4-trips.store")
    let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
    let other = ModelContext(container)
    for (index, destination) in ["Paris", "Oslo", "Paris"].enumerated() {
      other.insert(
        Trip(destination: destination, start: Date(timeIntervalSinceReferenceDate: 8e8), price: Double(index) * 100))
    }
    try other.save()
  }
}
