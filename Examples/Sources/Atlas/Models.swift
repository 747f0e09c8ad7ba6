import Foundation
import SwiftData

/// A country or territory of ISO 3166.
@Model
final class Country {
  /// The two-letter code, such as `NZ`.
  @Attribute(.unique) var code: String
  var name: String
  var visited: Bool

  /// The time zones whose clocks this country follows. One zone may serve several countries.
  @Relationship(deleteRule: .nullify, inverse: \TimeZoneRegion.countries) var timeZones: [TimeZoneRegion]

  init(code: String, name: String, visited: Bool = false) {
    self.code = code
    self.name = name
    self.visited = visited
    self.timeZones = []
  }
}

/// A region whose clocks have agreed since 1970.
@Model
final class TimeZoneRegion {
  /// The name in the tz database, such as `Pacific/Auckland`.
  @Attribute(.unique) var identifier: String

  /// Degrees north of the equator of the region's principal place.
  var latitude: Double

  /// Degrees east of Greenwich of the region's principal place.
  var longitude: Double

  /// The part of a country that has the zone, where a country has several zones.
  var comment: String?

  var countries: [Country]

  init(identifier: String, latitude: Double, longitude: Double, comment: String? = nil) {
    self.identifier = identifier
    self.latitude = latitude
    self.longitude = longitude
    self.comment = comment
    self.countries = []
  }
}
