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

  @Option(help: ArgumentHelp("The folder with the two tables.", valueName: "folder"))
  var zoneinfo = "/usr/share/zoneinfo"

  @Option(help: ArgumentHelp("The text to search for; case and accents do not count.", valueName: "text"))
  var search = "aland"

  @Flag(help: "Print what the history has of this run.")
  var history = false

  func validate() throws {
    guard !memory || store == nil else { throw ValidationError("--store and --memory exclude each other.") }
    guard store != "" else { throw ValidationError("--store needs the path of a file.") }
  }

  @MainActor
  func run() async throws {
    // Both tables are checked before a store is opened: an invalid one must not delete any row.
    let tables = try ZoneTables(folder: URL(filePath: zoneinfo, directoryHint: .isDirectory))
    let location = StoreLocation(path: store, inMemory: memory)
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
