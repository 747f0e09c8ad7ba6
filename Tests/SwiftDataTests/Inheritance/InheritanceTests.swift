import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Models that inherit from models")
struct InheritanceTests {
  /// One saved trip of each class.
  private func fill() throws -> ModelContainer {
    let container = try makeTrips()
    let context = ModelContext(container)
    let traveller = Traveller("Ada")
    let business = BusinessTrip(destination: "Bonn", purpose: "sale")
    business.expenses = [Expense(1), Expense(2)]
    let conference = ConferenceTrip(destination: "Cork", talks: ["a", "b"])
    let holiday = HolidayTrip(destination: "Delft", days: 7)
    traveller.trips = [holiday, Trip(destination: "Aachen"), conference, business]
    traveller.favourite = FavouriteTrip(conference)
    context.insert(traveller)
    try context.save()
    return container
  }

  @Test("A fetch of the base class returns each model as an instance of its own class")
  func base() throws {
    let trips = try (try fill()).freshContext().all(Trip.self, by: \.destination)
    #expect(trips.map { "\(type(of: $0))" } == ["Trip", "BusinessTrip", "ConferenceTrip", "HolidayTrip"])
    #expect(trips.map(\.days) == [1, 1, 1, 7])
    #expect((trips[1] as? BusinessTrip)?.purpose == "sale")
    #expect((trips[2] as? ConferenceTrip)?.talks == ["a", "b"])
    #expect((trips[2] as? BusinessTrip)?.purpose == "conference")
    #expect((trips[3] as? HolidayTrip)?.budget == 100)
  }

  @Test("A fetch of a subclass returns its models and those of its subclasses")
  func subclass() throws {
    let context = ModelContext(try fill())
    #expect(try context.all(BusinessTrip.self, by: \.purpose).map(\.destination) == ["Cork", "Bonn"])
    #expect(try context.only(ConferenceTrip.self).talks.count == 2)
    #expect(try context.only(HolidayTrip.self).days == 7)
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 4)
    #expect(try context.fetchCount(FetchDescriptor<BusinessTrip>()) == 2)
  }

  @Test("Models of all classes are looked up one by one, in any order")
  func oneByOne() throws {
    let container = try fill()
    let trips = try container.freshContext().all(Trip.self, by: \.destination)
    for turn in trips.indices {
      let context = ModelContext(container)
      for place in [1, 0, 3, 2, 1] {
        let trip = trips[(place + turn) % trips.count]
        let read = try #require(context.model(for: trip.persistentModelID) as? Trip)
        #expect(type(of: read) == type(of: trip))
        #expect(read.destination == trip.destination)
        #expect(read.days == trip.days)
        #expect((read as? BusinessTrip)?.purpose == (trip as? BusinessTrip)?.purpose)
        #expect((read as? ConferenceTrip)?.talks == (trip as? ConferenceTrip)?.talks)
      }
    }
  }

  @Test("A to-many of a subclass is read whatever the class of the first fetched model is")
  func memberOfSubclass() throws {
    let container = try fill()
    let context = ModelContext(container)
    let trips = try context.all(Trip.self, by: \.destination)
    #expect((trips[1] as? BusinessTrip)?.expenses.map(\.amount).sorted() == [1, 2])
    #expect((trips[2] as? BusinessTrip)?.expenses.isEmpty == true)
    context.delete(trips[1])
    try context.save()
    #expect(try container.freshContext().fetch(FetchDescriptor<Expense>()).map { $0.trip == nil } == [true, true])
  }

  @Test("Members of subclasses are read ahead")
  func membersOfSubclasses() throws {
    let container = try makeTrips()
    let filling = ModelContext(container)
    for number in 0..<200 {
      filling.insert(HolidayTrip(destination: "\(1000 + number) a"))
      let business = BusinessTrip(destination: "\(1000 + number) b", purpose: "sale")
      business.expenses = (0..<20).map { Expense(Double($0 + number)) }
      filling.insert(business)
    }
    try filling.save()
    let context = ModelContext(container)
    let trips = try context.all(Trip.self, by: \.destination)
    for (number, trip) in trips.compactMap({ $0 as? BusinessTrip }).enumerated() {
      #expect(trip.expenses.map(\.amount) == (0..<20).map { Double($0 + number) })
    }
  }

  @Test("Pending models of subclasses are included in fetches of their base classes")
  func pending() throws {
    let context = ModelContext(try fill())
    context.insert(ConferenceTrip(destination: "Exeter", talks: []))
    context.insert(HolidayTrip(destination: "Faro"))
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 6)
    #expect(try context.fetchCount(FetchDescriptor<BusinessTrip>()) == 3)
    #expect(try context.fetchCount(FetchDescriptor<HolidayTrip>()) == 2)
  }

  @Test("A row has one object, whichever class it is fetched by")
  func identity() throws {
    let context = ModelContext(try fill())
    let narrow = try context.only(ConferenceTrip.self)
    let wide = try #require(try context.all(Trip.self, by: \.destination).first { $0.destination == "Cork" })
    #expect(narrow === wide)
    #expect(narrow.persistentModelID.entityName == "ConferenceTrip")
    #expect(context.container.freshContext().model(for: narrow.persistentModelID) is ConferenceTrip)
  }

  @Test("Relationships to the base class contain models of subclasses, in order")
  func relationships() throws {
    let context = ModelContext(try fill())
    let traveller = try context.only(Traveller.self)
    #expect(traveller.trips.map { "\(type(of: $0))" } == ["HolidayTrip", "Trip", "ConferenceTrip", "BusinessTrip"])
    #expect(traveller.trips.allSatisfy { $0.traveller === traveller })
    #expect(traveller.favourite?.trip is ConferenceTrip)
    #expect((traveller.favourite?.trip as? ConferenceTrip)?.talks == ["a", "b"])
  }

  @Test("A subclass has relationships of its own, which its subclasses inherit")
  func ownRelationships() throws {
    let context = ModelContext(try fill())
    let conference = try context.only(ConferenceTrip.self)
    let expenses = try context.all(Expense.self, by: \.amount)
    #expect(expenses.allSatisfy { $0.trip?.purpose == "sale" })
    expenses[0].trip = conference
    #expect(conference.expenses.map(\.amount) == [1])
    try context.save()
    let stored = try context.container.freshContext().only(ConferenceTrip.self)
    #expect(stored.expenses.map(\.amount) == [1])
  }

  @Test("Predicates use inherited and own properties")
  func predicates() throws {
    let context = ModelContext(try fill())
    let long = try context.fetch(FetchDescriptor<HolidayTrip>(predicate: #Predicate { $0.days > 5 }))
    #expect(long.map(\.destination) == ["Delft"])
    let sales = try context.fetch(FetchDescriptor<BusinessTrip>(predicate: #Predicate { $0.purpose == "sale" }))
    #expect(sales.map(\.destination) == ["Bonn"])
    let conferences = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0 is ConferenceTrip }))
    #expect(conferences.map(\.destination) == ["Cork"])
  }

  @Test("Changes of inherited and own properties are saved and rolled back")
  func changes() throws {
    let context = ModelContext(try fill())
    let trip = try context.only(ConferenceTrip.self)
    trip.destination = "changed"
    trip.talks = ["c"]
    context.rollback()
    #expect(trip.destination == "Cork")
    #expect(trip.talks == ["a", "b"])
    trip.purpose = "changed"
    trip.talks.append("c")
    try context.save()
    let stored = try context.container.freshContext().only(ConferenceTrip.self)
    #expect(stored.purpose == "changed")
    #expect(stored.talks == ["a", "b", "c"])
  }

  @Test("Deleting by type includes subclasses unless includeSubclasses is false", arguments: [(true, 2), (false, 3)])
  func deletingByType(_ includesSubclasses: Bool, _ remaining: Int) throws {
    let container = try fill()
    let context = ModelContext(container)
    try context.delete(model: BusinessTrip.self, includeSubclasses: includesSubclasses)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Trip>()) == remaining)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<ConferenceTrip>()) == (includesSubclasses ? 0 : 1))
  }

  @Test("Delete rules apply to models of subclasses")
  func cascade() throws {
    let container = try fill()
    let context = ModelContext(container)
    context.delete(try context.only(Traveller.self))
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Trip>()) == 0)
    #expect(try container.freshContext().fetch(FetchDescriptor<Expense>()).allSatisfy { $0.trip == nil })
  }
}
