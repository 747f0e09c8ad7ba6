package import Foundation
import SwiftData

/// A sound store, of which each damaged one is a copy. It is the same in every process, except for SQLite's random parts.
package struct StoreTemplate {
  static let storeName = "test.store"
  private static let exhibitCount = 40
  private static let visitCount = 300

  let folder: URL

  /// Makes the template in a folder of its own: the files after its program has ended, and the files with a log that was not
  /// checkpointed.
  package init(in folder: URL) throws {
    self.folder = folder
    let plain = Self.variant("plain", folder)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: plain, withIntermediateDirectories: true)
    let store = plain.appendingPathComponent(Self.storeName)
    try Self.fill(store)
    try Self.makeReproducible(store)
    try Self.addLog(to: store, in: folder)
  }

  private static func variant(_ name: String, _ folder: URL) -> URL {
    folder.appendingPathComponent(name)
  }

  package static func externalFolder(of store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathComponent(".\(store.lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
  }

  /// Copies the store.
  ///
  /// - Returns: The copy's file.
  package func copy(to target: URL, withLog: Bool) throws -> URL {
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.copyItem(at: Self.variant(withLog ? "log" : "plain", folder), to: target)
    return target.appendingPathComponent(Self.storeName)
  }

  private static func fill(_ store: URL) throws {
    let container = try ModelContainer(for: Museum.schema, configurations: ModelConfiguration(url: store))
    let context = ModelContext(container)
    context.autosaveEnabled = false
    let rooms = (0..<6).map { Museum.Room(name: "Room \($0)", floor: $0 / 2) }
    let tags = (0..<8).map { Museum.Tag(word: "tag \($0)") }
    let artists = (0..<4).map { Museum.Artist(name: "Artist \($0)") }
    for model in rooms { context.insert(model) }
    for model in tags { context.insert(model) }
    for model in artists { context.insert(model) }
    try context.save()
    var exhibits: [Museum.Exhibit] = []
    for number in 0..<exhibitCount {
      let exhibit = makeExhibit(number)
      context.insert(exhibit)
      exhibit.room = number % 7 == 0 ? nil : rooms[number % rooms.count]
      exhibit.parent = number > 10 ? exhibits[number % 10] : nil
      exhibit.tags = number % 3 == 0 ? [tags[number % 8], tags[(number + 3) % 8]] : []
      if number % 4 == 1 { exhibit.kin = [exhibits[number / 2]] }
      (exhibit as? Museum.Sculpture)?.sculptor = artists[number % 4]
      if number % 5 == 0 { context.insert(Museum.Permit(number: number, exhibit: exhibit)) }
      if number % 20 == 3 { exhibit.picture = Data(repeating: UInt8(number), count: 140_000) }
      exhibits.append(exhibit)
      try context.save()
    }
    for number in 0..<visitCount {
      let visit = Museum.Visit(day: Date(timeIntervalSinceReferenceDate: Double(number)), guests: number % 30)
      context.insert(visit)
      visit.room = rooms[number % 6]
      visit.guide = number % 3 == 0 ? artists[number % 4] : nil
    }
    try context.save()
  }

  private static func makeExhibit(_ number: Int) -> Museum.Exhibit {
    let code = "code \(number)"
    let exhibit: Museum.Exhibit
    switch number % 3 {
    case 0:
      exhibit = Museum.Exhibit(code: code, number: number)
    case 1:
      let painting = Museum.Painting(code: code, number: number)
      painting.technique = "oil"
      exhibit = painting
    default:
      exhibit = Museum.Sculpture(code: code, number: number)
    }
    exhibit.optionalCount = number % 2 == 0 ? number : nil
    exhibit.ratio = number % 3 == 0 ? 0.5 : nil
    exhibit.lent = number % 4 == 0 ? Date(timeIntervalSinceReferenceDate: 1) : nil
    exhibit.rank = number % 2 == 0 ? .high : nil
    exhibit.lastPlace = number % 3 == 0 ? Museum.Place(building: "old", shelf: 1, height: nil) : nil
    exhibit.outline = number % 2 == 0 ? .bend(.bend(.end(1))) : nil
    return exhibit
  }

  /// Replaces the values that differ for each store: its identifier, and the names of the external files.
  private static func makeReproducible(_ store: URL) throws {
    let raw = RawStore(store)
    let external = externalFolder(of: store)
    let names = try raw.texts("SELECT picture FROM Exhibit WHERE typeof(picture) = 'text' ORDER BY _id")
    for (index, name) in names.enumerated() {
      let fixed = "00000000-0000-4000-8000-00000000000\(index)"
      try FileManager.default.moveItem(
        at: external.appendingPathComponent(name), to: external.appendingPathComponent(fixed))
      try raw.execute("UPDATE Exhibit SET picture = '\(fixed)' WHERE picture = '\(name)'")
    }
    try raw.execute(
      """
      UPDATE swiftdata_metadata SET value = '00000000-0000-4000-8000-0000000000FF' WHERE key = 'store_identifier';
      VACUUM;
      """)
  }

  /// Copies the files of a store that was written to and is not closed yet.
  private static func addLog(to store: URL, in folder: URL) throws {
    let source = variant("log source", folder)
    try FileManager.default.copyItem(at: store.deletingLastPathComponent(), to: source)
    try RawStore(source.appendingPathComponent(storeName)).withConnection { connection in
      try connection.execute(
        "UPDATE Exhibit SET count = count + 1; UPDATE Visit SET guests = guests + 1 WHERE _id % 3 = 0")
      try FileManager.default.copyItem(at: source, to: variant("log", folder))
    }
    try FileManager.default.removeItem(at: source)
    let index = variant("log", folder).appendingPathComponent("\(storeName)-shm")
    try? FileManager.default.removeItem(at: index)
  }
}
