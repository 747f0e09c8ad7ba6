package import Foundation
package import SwiftData

/// Models with attributes and relationships of every kind, with which the damaged stores were written.
package enum Museum {
  package static let schema = Schema([Exhibit.self, Painting.self, Sculpture.self, Permit.self, Visit.self])

  @Model
  package class Exhibit {
    #Index<Exhibit>([\.title], [\.made, \.price])
    @Attribute(.unique) package var code: String
    package var title: String
    package var count: Int
    package var small: Int8
    package var wide: UInt64
    package var optionalCount: Int?
    package var weight: Double
    package var ratio: Float?
    package var isShown: Bool
    package var made: Date
    package var lent: Date?
    package var price: Decimal
    package var identifier: UUID
    package var link: URL?
    package var data: Data
    package var state: ExhibitState
    package var rank: Rank?
    package var finish: Finish
    package var place: Place
    package var lastPlace: Place?
    package var words: [String]
    package var table: [String: Int]
    package var outline: Outline?
    @Attribute(.transformable(by: TintTransformer.self)) package var tint: Tint
    @Attribute(.externalStorage) package var picture: Data?
    package var room: Room?
    package var parent: Exhibit?
    @Relationship(inverse: \Exhibit.parent) package var parts: [Exhibit] = []
    @Relationship(inverse: \Tag.exhibits) package var tags: [Tag] = []
    package var kin: [Exhibit] = []
    @Relationship(inverse: \Exhibit.kin) package var kinOf: [Exhibit] = []
    @Relationship(deleteRule: .cascade, inverse: \Permit.exhibit) package var permit: Permit?

    package init(code: String, number: Int) {
      self.code = code
      title = "Exhibit \(number)"
      count = number
      small = Int8(number % 100)
      wide = number % 5 == 0 ? .max : UInt64(number)
      weight = Double(number) / 4
      isShown = number % 2 == 0
      made = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
      price = Decimal(number) / 8
      identifier = UUID(uuid: (UInt8(number % 256), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
      link = URL(string: "https://example.org/\(number)")
      data = Data([UInt8(number % 256), 0, 255])
      state = .allCases[number % 3]
      finish = number % 2 == 0 ? .plain : .painted(layers: number)
      place = Place(building: "b\(number)", shelf: number, height: number % 3 == 0 ? nil : 1.5)
      words = ["a", "word \(number)"]
      table = ["one": 1, "n": number]
      tint = Tint(red: UInt8(number % 256))
    }
  }

  @Model
  package final class Painting: Exhibit {
    package var technique: String = ""
    package var frame: Place = Place(building: "", shelf: 0, height: nil)
  }

  @Model
  package final class Sculpture: Exhibit {
    package var material: Material = Museum.Material.stone
    package var sculptor: Artist?
  }

  @Model
  package final class Room {
    #Unique<Room>([\.name, \.floor])
    package var name: String
    package var floor: Int
    @Relationship(deleteRule: .cascade, inverse: \Exhibit.room) package var exhibits: [Exhibit] = []
    @Relationship(deleteRule: .deny, inverse: \Visit.room) package var visits: [Visit] = []

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

  /// Has constants and a required target.
  @Model
  package final class Permit {
    package let number: Int
    package let issued: Date
    package var note: String
    package var exhibit: Exhibit

    package init(number: Int, exhibit: Exhibit) {
      self.number = number
      issued = Date(timeIntervalSinceReferenceDate: 0)
      note = ""
      self.exhibit = exhibit
    }
  }

  /// A store has many of them.
  @Model
  package final class Visit {
    package var day: Date
    package var guests: Int
    package var room: Room?
    package var guide: Artist?

    package init(day: Date, guests: Int) {
      self.day = day
      self.guests = guests
    }
  }
}

extension Museum {
  package enum ExhibitState: String, Codable, CaseIterable, Sendable {
    case shown, stored, lost
  }

  package enum Rank: Int, Codable, Sendable {
    case low = 1
    case high = 9
  }

  package enum Material: String, Codable, Sendable {
    case stone, bronze
  }

  package enum Finish: Codable, Hashable, Sendable {
    case plain
    case painted(layers: Int)
  }

  package struct Place: Codable, Hashable, Sendable {
    package var building: String
    package var shelf: Int
    package var height: Double?
  }

  /// Recursive, so that its JSON may be deep.
  package indirect enum Outline: Codable, Hashable, Sendable {
    case end(Double)
    case bend(Outline)
  }

  package struct Tint: Hashable, Sendable {
    package var red: UInt8
  }
}

package final class TintTransformer: ValueTransformer, @unchecked Sendable {
  override package func transformedValue(_ value: Any?) -> Any? {
    (value as? Museum.Tint).map { Data([$0.red]) }
  }

  override package func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { $0.count == 1 ? $0.first.map { Museum.Tint(red: $0) } : nil }
  }
}
