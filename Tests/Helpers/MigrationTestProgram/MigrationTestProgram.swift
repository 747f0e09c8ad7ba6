import Foundation
import MigrationTestModels
import SwiftData

/// Writes the store of the hotel, migrates it, rehearses the migration until it is killed, or has the store open while another
/// program migrates it.
@main
enum MigrationTestProgram {
  private enum Mode: String {
    case fill, migrate, migrateOnRequest, rehearse, hold
    /// The same with two stores.
    case fillApart, migrateApart
  }

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let mode = Mode(rawValue: arguments[2]), let guests = Int(arguments[3]) else {
      fail("usage: MigrationTestProgram STORE MODE GUESTS")
    }
    // Ends this program if its parent has ended, or if it waits in vain.
    alarm(UInt32(clamping: 60 + guests / 100))
    do {
      try run(mode, URL(fileURLWithPath: arguments[1]), guests)
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ complaint: String) -> Never {
    FileHandle.standardError.write(Data("\(complaint)\n".utf8))
    exit(2)
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func run(_ mode: Mode, _ store: URL, _ guests: Int) throws {
    switch mode {
    case .fill:
      try Hotel.fill(Hotel.open(HotelV1.self, at: store), guests: guests)
    case .fillApart:
      try Hotel.fill(Hotel.open(HotelV1.self, at: store, isApart: true), guests: guests)
    case .migrate:
      try migrate(store)
    case .migrateApart:
      try migrate(store, isApart: true)
    case .migrateOnRequest:
      say("ready")
      if readLine() != nil { try migrate(store) }
    case .rehearse:
      while true { try rehearse(store) }
    case .hold:
      try hold(store)
    }
  }

  private static func migrate(_ store: URL, isApart: Bool = false) throws {
    _ = try Hotel.open(HotelV4.self, at: store, isApart: isApart, by: HotelPlan.self)
    say("done")
  }

  private static func rehearse(_ store: URL) throws {
    _ = try MigrationInspector(
      for: Schema(versionedSchema: HotelV4.self), migrationPlan: HotelPlan.self,
      configurations: ModelConfiguration(url: store, allowsSave: false)
    ).rehearse()
  }

  /// Uses a container of the first version before and after the migration, and then reopens the store.
  private static func hold(_ store: URL) throws {
    let context = try ModelContext(Hotel.open(HotelV1.self, at: store))
    let guests = try context.fetch(FetchDescriptor<HotelV1.Guest>())
    say("ready")
    guard readLine() != nil else { return }
    let fetch = outcome { _ = try context.fetch(FetchDescriptor<HotelV1.Guest>()) }
    say("fetch: \(fetch)")
    for guest in guests { guest.nights += 1 }
    let save = outcome { try context.save() }
    say("save: \(save)")
    let reopened = try Hotel.open(HotelV4.self, at: store, by: HotelPlan.self)
    for line in try Hotel.lastLines(in: ModelContext(reopened)) { say(line) }
  }

  /// The kind of the error, or that there was none.
  private static func outcome(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "done"
    } catch SwiftDataError.loadIssueModelContainer {
      return "loadIssueModelContainer"
    } catch let error as SwiftDataError where error == .storeFailure {
      return error.details?.storeFailureReason?.rawValue ?? "\(error)"
    } catch {
      return "\(error)"
    }
  }
}
