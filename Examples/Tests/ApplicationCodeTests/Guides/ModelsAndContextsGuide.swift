import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum ModelsAndContextsGuide {
  @Model
  final class Trip {
    @Attribute(.unique) var name: String
    var start: Date
    var budget: Decimal?
    var tags: [String] = []

    @Relationship(deleteRule: .cascade, inverse: \Stay.trip) var stays: [Stay] = []

    init(name: String, start: Date) {
      self.name = name
      self.start = start
    }
  }

  @Model
  final class Stay {
    var city: String
    var trip: Trip?

    init(city: String) {
      self.city = city
    }
  }

  static func open() throws -> ModelContainer {
    let container = try ModelContainer(for: Trip.self)
    return container
  }

  @MainActor
  static func work(_ container: ModelContainer) throws {
    let context = container.mainContext

    let trip = Trip(name: "Coast", start: .now)
    trip.stays = [Stay(city: "Porto"), Stay(city: "Lisbon")]
    context.insert(trip)
    try context.save()

    let soon = FetchDescriptor<Trip>(
      predicate: #Predicate { $0.name.localizedStandardContains("coast") },
      sortBy: [SortDescriptor(\.start)])
    for trip in try context.fetch(soon) {
      trip.tags.append("seen")
    }
    try context.save()

    context.delete(trip)
    try context.save()
  }
}
