// Apple's printed samples import nothing else.
import SwiftData

@Model
final class PrintedTrip {
  var name: String
  var startDate: Date
  var code = UUID()

  init(name: String, startDate: Date) {
    self.name = name
    self.startDate = startDate
  }
}

func namesOfPrintedTrips(before date: Date, in context: ModelContext) throws -> [String] {
  let trips = FetchDescriptor<PrintedTrip>(
    predicate: #Predicate { $0.startDate < date }, sortBy: [SortDescriptor(\.startDate)])
  return try context.fetch(trips).map(\.name)
}
