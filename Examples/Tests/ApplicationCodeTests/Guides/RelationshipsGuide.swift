import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum RelationshipsGuide {
  @Model
  final class Land {
    @Relationship(inverse: \TimeZoneRegion.countries) var timeZones: [TimeZoneRegion]

    init(timeZones: [TimeZoneRegion]) { self.timeZones = timeZones }
  }

  @Model
  final class TimeZoneRegion {
    var countries: [Land]

    init(countries: [Land]) { self.countries = countries }
  }

  @Model
  final class Step {
    @Relationship(inverse: nil) var next: Step?

    init() {}
  }

  @Model
  final class Orchard {
    @Relationship(inverse: \Tree.orchard) var left: [Tree] = []
    @Relationship(inverse: \Tree.orchard) var right: [Tree] = []

    init() {}
  }

  @Model
  final class Tree {
    var orchard: Orchard?

    init() {}
  }

  typealias Trip = ModelsAndContextsGuide.Trip
  typealias Stay = ModelsAndContextsGuide.Stay

  static func link(_ context: ModelContext) {
    let coast = Trip(name: "Coast", start: .now)
    let porto = Stay(city: "Porto")
    context.insert(coast)
    porto.trip = coast  // coast.stays is now [porto], and porto is inserted
  }

  static func walk(_ context: ModelContext) throws {
    for trip in try context.fetch(FetchDescriptor<Trip>()) {  // one statement
      print(trip.name, trip.stays.map(\.city))  // four statements for all of 1,000 trips
    }
  }
}
