import Foundation
import SwiftData

// Three levels of inheritance, with relationships to and from the superclass.

@Model
class Trip {
  var destination: String
  var days = 1
  var traveller: Traveller?

  init(destination: String, days: Int = 1) {
    self.destination = destination
    self.days = days
  }
}

@Model
class BusinessTrip: Trip {
  var purpose: String
  @Relationship(inverse: \Expense.trip) var expenses: [Expense] = []

  init(destination: String, purpose: String) {
    self.purpose = purpose
    super.init(destination: destination)
  }
}

@Model
final class ConferenceTrip: BusinessTrip {
  var talks: [String] = []

  init(destination: String, talks: [String]) {
    self.talks = talks
    super.init(destination: destination, purpose: "conference")
  }
}

@Model
final class HolidayTrip: Trip {
  var budget = 100.0
}

@Model
final class Traveller {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Trip.traveller) var trips: [Trip] = []
  var favourite: FavouriteTrip?

  init(_ name: String) {
    self.name = name
  }
}

/// References a trip of any class, without an inverse.
@Model
final class FavouriteTrip {
  @Relationship(inverse: nil) var trip: Trip?
  var traveller: Traveller?

  init(_ trip: Trip) {
    self.trip = trip
  }
}

@Model
final class Expense {
  var amount: Double
  var trip: BusinessTrip?

  init(_ amount: Double) {
    self.amount = amount
  }
}

func makeTrips() throws -> ModelContainer {
  try makeContainer(
    Trip.self, BusinessTrip.self, ConferenceTrip.self, HolidayTrip.self, Traveller.self, FavouriteTrip.self,
    Expense.self)
}
