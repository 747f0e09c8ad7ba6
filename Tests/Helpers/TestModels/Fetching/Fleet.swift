import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// A store with values that are easily handled wrongly: nil, NaN, extreme numbers, text in several Unicode forms, empty
/// relationships. Tests share it and only read.
struct Fleet: Sendable {
  static let shared = Result { try Fleet() }

  let container: ModelContainer
  /// All voyages, in the order of their identifiers.
  let identifiers: [PersistentIdentifier]
  let nemo: PersistentIdentifier
  let north: PersistentIdentifier

  static let texts = [
    "", "a", "A", "Café", "Cafe\u{301}", "CAFÉ", "cafe", "K", "\u{212A}", "DK;`", "D\u{212A}\u{37E}\u{1FEF}",
    "e\u{301}x", "éx", "ex", "e", "\r\n", "\n", "👩‍👩‍👧‍👦", "👩", "日本", "ÅNGSTRÖM", "A\u{30A}NGSTRO\u{308}M", "zebra", "Zebra",
    "a\u{0}b", "50%", "a_b", "straße", "STRASSE", "é",
  ]

  static let notANumber = Double.nan

  static func date(_ day: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(day) * 86_400) }

  static func code(_ number: UInt8) -> UUID {
    UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
  }

  init() throws {
    container = try ModelContainer(
      for: Voyage.self, SteamVoyage.self, Captain.self, Country.self, Licence.self, Harbor.self, Crate.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writer = ModelContext(container)
    let france = Country("France", code: "FR")
    let countries = [france, Country("Österreich")]
    let captains = [Captain("Nemo", age: 48), Captain("Ahab"), Captain("", age: .max), Captain("Café", age: -1)]
    for (index, captain) in captains.enumerated() {
      writer.insert(captain)
      captain.country = index == 1 ? nil : countries[index % 2]
      captain.isRetired = index == 2
    }
    let licence = Licence("P1")
    writer.insert(licence)
    licence.captain = captains[0]
    let harbors = (0..<4).map { Harbor("Harbor \($0)", depth: $0 * 10) }
    for harbor in harbors { writer.insert(harbor) }
    harbors[1].country = france
    for (index, text) in Self.texts.enumerated() {
      let voyage = index % 5 == 4 ? SteamVoyage(text) : Voyage(text)
      writer.insert(voyage)
      Self.fill(voyage, index)
      voyage.captain = index % 3 == 0 ? nil : captains[index % captains.count]
      voyage.harbors = (0..<4).filter { index & (1 << $0) != 0 && index % 7 != 0 }.map { harbors[$0] }
      for number in 0..<(index % 4) {
        let crate = Crate("\(index).\(number)", weight: number == 2 ? .nan : Double(number) * 10)
        writer.insert(crate)
        crate.voyage = voyage
      }
    }
    try writer.save()
    nemo = captains[0].persistentModelID
    north = harbors[0].persistentModelID
    identifiers = try writer.fetchIdentifiers(FetchDescriptor<Voyage>())
  }

  private static func fill(_ voyage: Voyage, _ index: Int) {
    let integers = [0, 1, -1, 2, 3, 10, 100, .max, .min, 42]
    let reals = [0, -0.0, 1, 2.5, -3.25, .infinity, -.infinity, .nan, 1e300, .leastNonzeroMagnitude]
    voyage.note = index % 4 == 0 ? nil : texts[(index * 7) % texts.count]
    voyage.distance = integers[index % integers.count]
    voyage.crew = index % 3 == 1 ? nil : integers[(index + 3) % integers.count]
    voyage.serial = [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max][index % 5]
    voyage.speed = reals[index % reals.count]
    voyage.fuel = index % 3 == 2 ? nil : reals[(index + 7) % reals.count]
    voyage.ratio = [0.1, 0.5, .nan, -1, .infinity][index % 5]
    voyage.departure = date(index - 10)
    voyage.arrival = index % 2 == 0 ? nil : date(index)
    voyage.isOpen = index % 3 == 0
    voyage.isLate = [true, false, nil][index % 3]
    voyage.code = code(UInt8(index))
    voyage.price = [0, 12.5, -12.5, 1000, -1000, 0.001, 99_999_999_999_999_999][index % 7]
    voyage.link = index % 2 == 0 ? nil : URL(string: "https://example.org/\(index % 6)")
    voyage.seal = index % 3 == 0 ? nil : Data([UInt8(index % 4), 0])
    voyage.status = VoyageStatus.allCases[index % 3]
    voyage.previousStatus = index % 2 == 0 ? nil : VoyageStatus.allCases[index % 3]
    voyage.category = index % 2 == 0 ? .cargo : .mail
    voyage.event = index % 2 == 0 ? .none : .storm(force: index)
    voyage.berth = Berth(pier: texts[index], number: index % 4, depth: index % 2 == 0 ? nil : Double(index))
    voyage.lastBerth = index % 3 == 0 ? nil : Berth(pier: "P\(index % 4)", number: index, depth: nil)
    voyage.words = index % 2 == 0 ? [] : index % 3 == 0 ? ["e\u{301}", "é"] : ["a", texts[index]]
    voyage.numbers = index % 3 == 0 ? [] : [index % 4, integers[index % integers.count]]
    voyage.stops = index % 4 == 0 ? [] : [Berth(pier: texts[index], number: index % 3, depth: nil), voyage.berth]
    voyage.ranks = index % 3 == 0 ? [:] : ["a": 1]
    if index % 2 == 0 { voyage.ranks[texts[index]] = index }
    voyage.pastStatuses = Array(VoyageStatus.allCases.prefix(index % 4))
    voyage.pastCategories = index % 2 == 0 ? [] : [[.mail], [.cargo, .mail]][index % 3 == 0 ? 0 : 1]
    voyage.marks = index % 3 == 0 ? [] : [code(UInt8(index)), code(4)]
    voyage.pages = index % 4 == 0 ? [] : ["https://example.org/a?b=c&d=%20", "x:\(index % 3)"].compactMap(URL.init)
    voyage.chart = index % 5 == 0 ? nil : Data([1])
    (voyage as? SteamVoyage)?.coal = index
  }
}
