package import Foundation
package import SwiftData

/// The models of ``Museum`` in a later release, whose store is migrated automatically: properties are removed, added or
/// renamed, one became optional, and a table must be rebuilt.
package enum RenovatedMuseum {
  package static let schema = Schema([Exhibit.self, Painting.self, Sculpture.self, Permit.self, Visit.self])

  @Model
  package class Exhibit {
    #Index<Exhibit>([\.count])
    package var code: String?
    @Attribute(originalName: "title") package var name: String
    package var count: Int
    package var made: Date
    package var price: Decimal
    package var state: Museum.ExhibitState
    package var place: Museum.Place
    package var words: [String]
    package var extra: String = "new"
    package var spare: Museum.Place?
    @Attribute(.externalStorage) package var picture: Data?
    package var room: Room?
    package var parent: Exhibit?
    @Relationship(inverse: \Exhibit.parent) package var parts: [Exhibit] = []
    @Relationship(originalName: "tags", inverse: \Tag.exhibits) package var labels: [Tag] = []
    @Relationship(deleteRule: .cascade, inverse: \Permit.exhibit) package var permit: Permit?

    package init(name: String) {
      self.name = name
      count = 0
      made = Date(timeIntervalSinceReferenceDate: 0)
      price = 0
      state = .lost
      place = Museum.Place(building: "", shelf: 0, height: nil)
      words = []
    }
  }

  @Model
  package final class Painting: Exhibit {
    package var technique: String = ""
  }

  @Model
  package final class Sculpture: Exhibit {
    package var material: Museum.Material = Museum.Material.stone
    package var sculptor: Artist?
  }

  @Model
  package final class Room {
    package var name: String
    package var floor: Int
    @Relationship(deleteRule: .cascade, inverse: \Exhibit.room) package var exhibits: [Exhibit] = []
    @Relationship(inverse: \Visit.room) package var visits: [Visit] = []

    package init(name: String, floor: Int) {
      self.name = name
      self.floor = floor
    }
  }

  @Model
  package final class Tag {
    @Attribute(.unique) package var word: String
    package var exhibits: [Exhibit] = []

    package init(word: String) {
      self.word = word
    }
  }

  @Model
  package final class Artist {
    package var name: String
    @Relationship(inverse: \Sculpture.sculptor) package var works: [Sculpture] = []

    package init(name: String) {
      self.name = name
    }
  }

  @Model
  package final class Permit {
    package let number: Int
    package var note: String
    package var exhibit: Exhibit

    package init(number: Int, exhibit: Exhibit) {
      self.number = number
      note = ""
      self.exhibit = exhibit
    }
  }

  @Model
  package final class Visit {
    package var day: Date
    package var guests: Int
    package var room: Room?

    package init(day: Date, guests: Int) {
      self.day = day
      self.guests = guests
    }
  }
}
