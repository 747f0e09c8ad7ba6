import Foundation
import SwiftData

/// The demo itself: imports in the background, then shows the result from the container's main context.
@MainActor
struct Tour {
  let container: ModelContainer
  let tables: ZoneTables
  let location: StoreLocation
  let report: Report
  let importer: CountryModelActor

  private var context: ModelContext { container.mainContext }

  init(container: ModelContainer, tables: ZoneTables, location: StoreLocation, report: Report) {
    self.container = container
    self.tables = tables
    self.location = location
    self.report = report
    importer = CountryModelActor(modelContainer: container)
  }

  func run(search text: String) async throws {
    report.title("Atlas: this machine's countries and time zones in a SwiftData store")
    report.columns([("store", "\(location)")])
    try await importTables()
    try showLargestCountries()
    try showMatches(of: text)
    try await visitAndReset(["FR", "JP", "NZ"])
    try deleteAndRollBack("DE")
    if let file = location.file {
      report.heading("Look inside")
      report.line("sqlite3 \(file) .schema")
    }
  }
}

extension Tour {
  private func importTables() async throws {
    report.heading("Import in the background")
    let before = try Counts(context)
    report.line(before.isEmpty ? "The store is new." : "The store was here already, with \(before).")

    let start = ContinuousClock.now
    let heartbeat = Heartbeat()
    heartbeat.start()
    let (progress, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    async let imported: Void = importer.importTables(tables, progress: continuation)
    var bar = ProgressBar(total: tables.rowCount, report: report)
    for await done in progress {
      bar.show(done)
    }
    bar.end()
    try await imported
    heartbeat.stop()
    let time = ContinuousClock.now - start

    let after = try Counts(context)
    report.line("Now it holds \(after), imported in \(Report.milliseconds(time)).")
    if !before.isEmpty {
      let added = (after.countries - before.countries) + (after.zones - before.zones)
      let updated = tables.rowCount - added
      report.line("\(Report.count(updated, "row")) updated in place, \(added) added: nothing is there twice.")
    }
    report.line(
      "Meanwhile the main actor had \(Report.count(heartbeat.beats, "turn")), "
        + "never more than \(Report.milliseconds(heartbeat.longestPause)) apart.")
  }

  private func showLargestCountries() throws {
    report.heading("Most time zones")
    var everyCountry = FetchDescriptor<Country>()
    everyCountry.relationshipKeyPathsForPrefetching = [\.timeZones]
    let ranked = try context.fetch(everyCountry).map { (zones: $0.timeZones.count, name: $0.name) }
      .sorted { ($1.zones, $0.name) < ($0.zones, $1.name) }
    report.numbers(ranked.prefix(8).map { ($0.zones, $0.name) })
  }

  private func showMatches(of text: String) throws {
    report.heading("Search for “\(text)”")
    let countries = try context.fetch(
      FetchDescriptor<Country>(
        predicate: #Predicate { $0.name.localizedStandardContains(text) },
        sortBy: [SortDescriptor(\.name)]))
    let zones = try context.fetch(
      FetchDescriptor<TimeZoneRegion>(
        predicate: #Predicate {
          $0.identifier.localizedStandardContains(text) || $0.comment?.localizedStandardContains(text) == true
        },
        sortBy: [SortDescriptor(\.identifier)]))
    report.columns([
      ("countries", Report.list(countries.map(\.name))),
      ("time zones", Report.list(zones.map(\.identifier))),
    ])
  }

  private func visitAndReset(_ codes: [String]) async throws {
    report.heading("Visits, written by the actor and read by the main context")
    let identifiers = try context.fetchIdentifiers(
      FetchDescriptor<Country>(predicate: #Predicate { codes.contains($0.code) }))
    try await importer.visit(identifiers: identifiers)
    let visited = try context.fetch(
      FetchDescriptor<Country>(predicate: #Predicate { $0.visited }, sortBy: [SortDescriptor(\.name)]))
    let reset = try await importer.resetVisited()
    let left = try context.fetchCount(FetchDescriptor<Country>(predicate: #Predicate { $0.visited }))
    report.columns([
      ("visited", Report.list(visited.map(\.name))),
      ("reset", "\(Report.count(reset, "country", "countries")), \(left) left"),
    ])
  }

  private func deleteAndRollBack(_ code: String) throws {
    var descriptor = FetchDescriptor<Country>(predicate: #Predicate { $0.code == code })
    descriptor.fetchLimit = 1
    guard let country = try context.fetch(descriptor).first else { return }
    report.heading("Delete \(country.name) and think again")
    let zones = country.timeZones.sorted { $0.identifier < $1.identifier }
    let before = zones.map(countryCodes(of:))

    context.delete(country)
    context.processPendingChanges()
    let deleted = zones.map(countryCodes(of:))
    report.line("The rule is .nullify: its time zones stay and lose the country.")
    report.columns(
      zip(zones, zip(before, deleted)).map { zone, codes in (zone.identifier, "\(codes.0)  →  \(codes.1)") })

    context.rollback()
    let restored = zones.map(countryCodes(of:))
    report.line(restored == before ? "Rolled back: the links are as before." : "Rolled back: \(restored)")

    try context.save()
    // A new context reads from the store only.
    report.line("Saved: \(try Counts(ModelContext(container))) in the store.")
  }

  private func countryCodes(of zone: TimeZoneRegion) -> String {
    let codes = zone.countries.map(\.code).sorted()
    return codes.isEmpty ? "none" : codes.joined(separator: " ")
  }
}
