import Foundation
import SwiftData

/// The number of models of each class in a context.
struct Counts: Equatable, CustomStringConvertible {
  let countries: Int
  let zones: Int

  init(_ context: ModelContext) throws {
    countries = try context.fetchCount(FetchDescriptor<Country>())
    zones = try context.fetchCount(FetchDescriptor<TimeZoneRegion>())
  }

  var isEmpty: Bool { countries == 0 && zones == 0 }

  var description: String {
    Report.count(countries, "country", "countries") + " and " + Report.count(zones, "time zone")
  }
}
