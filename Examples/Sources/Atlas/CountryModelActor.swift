import Foundation
import SwiftData

/// The only writer of the store: it works on an executor of its own, away from the main actor.
@ModelActor
actor CountryModelActor {
  /// Inserts every row in one transaction; rows that the store already has are updated, as their keys are unique.
  ///
  /// - Parameters:
  ///   - tables: The rows to import.
  ///   - progress: Receives the number of rows inserted so far, and ends with the import.
  func importTables(_ tables: ZoneTables, progress: AsyncStream<Int>.Continuation) throws {
    defer { progress.finish() }
    var done = 0
    try modelContext.transaction {
      var countries: [String: Country] = [:]
      for row in tables.countries {
        let country = Country(code: row.code, name: row.name)
        modelContext.insert(country)
        countries[row.code] = country
        done += 1
        progress.yield(done)
      }
      for row in tables.zones {
        let zone = TimeZoneRegion(
          identifier: row.identifier,
          latitude: row.coordinates.latitude,
          longitude: row.coordinates.longitude,
          comment: row.comment)
        modelContext.insert(zone)
        zone.countries = row.countryCodes.compactMap { countries[$0] }
        done += 1
        progress.yield(done)
      }
    }
  }

  /// Marks the countries with these identifiers as visited; unknown identifiers are ignored.
  func visit(identifiers: [PersistentIdentifier]) throws {
    for identifier in identifiers {
      self[identifier, as: Country.self]?.visited = true
    }
    try modelContext.save()
  }

  /// Clears all visits.
  ///
  /// - Returns: The number of countries that had been visited.
  func resetVisited() throws -> Int {
    let visited = try modelContext.fetch(FetchDescriptor<Country>(predicate: #Predicate { $0.visited }))
    for country in visited {
      country.visited = false
    }
    try modelContext.save()
    return visited.count
  }
}
