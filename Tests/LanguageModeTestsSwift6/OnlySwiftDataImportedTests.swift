import Foundation
import SwiftData
import Testing

@Suite("A file that only imports SwiftData")
struct OnlySwiftDataImportedTests {
  @Test("Importing SwiftData makes Foundation visible, as Apple's printed samples expect")
  func foundationIsVisible() throws {
    let container = try ModelContainer(
      for: PrintedTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(PrintedTrip(name: "Lisbon", startDate: .distantPast))
    context.insert(PrintedTrip(name: "Oslo", startDate: .distantFuture))
    #expect(try namesOfPrintedTrips(before: .now, in: context) == ["Lisbon"])
  }
}
