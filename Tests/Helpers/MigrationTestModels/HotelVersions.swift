package import Foundation
package import SwiftData

// The guests of a hotel in four versions.

package enum HotelV1: VersionedSchema {
  package static let versionIdentifier = Schema.Version(1, 0, 0)
  package static var models: [any PersistentModel.Type] { [Guest.self, Room.self, HotelRemark.self] }

  @Model
  package final class Guest {
    @Attribute(.unique) package var number: Int
    package var name: String
    package var nights: Int
    package var room: Room?

    package init(number: Int, name: String, nights: Int) {
      self.number = number
      self.name = name
      self.nights = nights
    }
  }

  @Model
  package final class Room {
    @Attribute(.unique) package var number: Int
    @Attribute(.externalStorage) package var picture: Data?
    @Relationship(inverse: \Guest.room) package var guests: [Guest] = []

    package init(number: Int, picture: Data? = nil) {
      self.number = number
      self.picture = picture
    }
  }
}

/// Adds a property, whose values the stage computes.
package enum HotelV2: VersionedSchema {
  package static let versionIdentifier = Schema.Version(2, 0, 0)
  package static var models: [any PersistentModel.Type] { [Guest.self, Room.self, HotelRemark.self] }

  @Model
  package final class Guest {
    @Attribute(.unique) package var number: Int
    package var name: String
    package var nights: Int
    package var charge = 0
    package var room: Room?

    package init(number: Int, name: String, nights: Int) {
      self.number = number
      self.name = name
      self.nights = nights
    }
  }

  @Model
  package final class Room {
    @Attribute(.unique) package var number: Int
    @Attribute(.externalStorage) package var picture: Data?
    @Relationship(inverse: \Guest.room) package var guests: [Guest] = []

    package init(number: Int, picture: Data? = nil) {
      self.number = number
      self.picture = picture
    }
  }
}

/// Renames a property and adds one with a default value, without code.
package enum HotelV3: VersionedSchema {
  package static let versionIdentifier = Schema.Version(3, 0, 0)
  package static var models: [any PersistentModel.Type] { [Guest.self, Room.self, HotelRemark.self] }

  @Model
  package final class Guest {
    @Attribute(.unique) package var number: Int
    package var name: String
    @Attribute(originalName: "nights") package var duration: Int
    package var charge = 0
    package var language = "en"
    package var room: Room?

    package init(number: Int, name: String, duration: Int) {
      self.number = number
      self.name = name
      self.duration = duration
    }
  }

  @Model
  package final class Room {
    @Attribute(.unique) package var number: Int
    @Attribute(.externalStorage) package var picture: Data?
    @Relationship(inverse: \Guest.room) package var guests: [Guest] = []

    package init(number: Int, picture: Data? = nil) {
      self.number = number
      self.picture = picture
    }
  }
}

/// Splits a name in two parts.
package enum HotelV4: VersionedSchema {
  package static let versionIdentifier = Schema.Version(4, 0, 0)
  package static var models: [any PersistentModel.Type] { [Guest.self, Room.self, HotelRemark.self] }

  @Model
  package final class Guest {
    @Attribute(.unique) package var number: Int
    package var givenName = ""
    @Attribute(originalName: "name") package var familyName: String
    @Attribute(originalName: "nights") package var duration: Int
    package var charge = 0
    package var language = "en"
    package var room: Room?

    package init(number: Int, familyName: String, duration: Int) {
      self.number = number
      self.familyName = familyName
      self.duration = duration
    }
  }

  @Model
  package final class Room {
    @Attribute(.unique) package var number: Int
    @Attribute(.externalStorage) package var picture: Data?
    @Relationship(inverse: \Guest.room) package var guests: [Guest] = []

    package init(number: Int, picture: Data? = nil) {
      self.number = number
      self.picture = picture
    }
  }
}

/// A record of an action, in all versions.
@Model
package final class HotelRemark {
  package var text: String

  package init(text: String) {
    self.text = text
  }
}
