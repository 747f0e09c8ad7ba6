import Foundation
import SwiftData
import Testing

@Suite("A file that imports SwiftData alone")
struct OnlySwiftDataImportedTests {
  @Test("It sees Foundation, as Apple's printed samples do")
  func seesFoundation() throws {
    let container = try ModelContainer(
      for: PrintedTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(PrintedTrip(name: "Lisbon", startDate: .distantPast))
    context.insert(PrintedTrip(name: "Oslo", startDate: .distantFuture))
    #expect(try namesOfPrintedTrips(before: .now, in: context) == ["Lisbon"])
  }
}
