import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum KeyedTrips {
  @Model
  final class Trip {
    var number: Int
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var tags_key: String
    @Relationship(inverse: \Tag.trips) var tags: [Tag] = []

    init(_ number: Int) {
      self.number = number
      tags_key = "k\(number)"
    }
  }

  @Model
  final class Tag {
    var word: String
    var trips: [Trip] = []

    init(_ word: String) {
      self.word = word
    }
  }
}

enum BareTrips {
  @Model
  final class Trip {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Tag {
    var word: String

    init(_ word: String) {
      self.word = word
    }
  }
}

@Suite("Names of tables with archived values")
struct ArchivedNamesTests {
  @Test("The index of archived links and the tables of archived values have different names")
  func indexName() throws {
    let store = try MigratingStore()
    let context = try store.open([KeyedTrips.Trip.self, KeyedTrips.Tag.self]).freshContext()
    let trip = KeyedTrips.Trip(1)
    context.insert(trip)
    trip.tags = [KeyedTrips.Tag("t")]
    try context.save()
    #expect(throws: Never.self) { try store.open([BareTrips.Trip.self, BareTrips.Tag.self]) }
    let back = try store.open([KeyedTrips.Trip.self, KeyedTrips.Tag.self]).freshContext()
    let found = try back.only(KeyedTrips.Trip.self)
    #expect(found.tags_key == "k1")
    #expect(found.tags.map(\.word) == ["t"])
  }
}
