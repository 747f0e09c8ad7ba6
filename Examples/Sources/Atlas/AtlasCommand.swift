import ArgumentParser
import Foundation
import SwiftData

@main
struct AtlasCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atlas",
    abstract: "Imports the machine's countries and time zones into a SwiftData store and looks at them.",
    discussion: """
      Reads iso3166.tab and zone1970.tab of the tz database. A second run finds the store of the first one and updates \
      what is there instead of adding it again.
      """
  )

  @Option(help: ArgumentHelp("The store's file, made when missing.", valueName: "path"))
  var store: String?

  @Flag(help: "Keep everything in memory and leave no file.")
  var memory = false

  @Option(help: ArgumentHelp("A database of a PostgreSQL server for the store.", valueName: "url"))
  var postgres: String?

  @Option(help: ArgumentHelp("The folder with the two tables.", valueName: "folder"))
  var zoneinfo = "/usr/share/zoneinfo"

  @Option(help: ArgumentHelp("The text to search for; case and accents do not count.", valueName: "text"))
  var search = "aland"

  @Flag(help: "Print what the history has of this run.")
  var history = false

  func validate() throws {
    guard [store != nil, memory, postgres != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("--store, --memory and --postgres exclude each other.")
    }
    guard store != "" else { throw ValidationError("--store needs the path of a file.") }
    guard postgres != "" else { throw ValidationError("--postgres needs the URL of a database.") }
  }

  @MainActor
  func run() async throws {
    // Both tables are checked before a store is opened: an invalid one must not delete any row.
    let tables = try ZoneTables(folder: URL(filePath: zoneinfo, directoryHint: .isDirectory))
    let location = StoreLocation(path: store, inMemory: memory, postgres: postgres)
    let container = try location.open()
    do {
      let tour = Tour(container: container, tables: tables, location: location, report: Report())
      let start = try RunHistory(container)
      try await tour.run(search: search)
      if history { try start.show(in: tour.report) }
    } catch {
      throw AtlasError(at: location, because: error)
    }
  }
}
