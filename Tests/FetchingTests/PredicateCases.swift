import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

/// A predicate over voyages, and its expected translation.
struct PredicateCase: CustomTestStringConvertible, Sendable {
  enum Translation: Sendable {
    /// SQL evaluates it.
    case full
    /// SQL selects more, and the rest is evaluated in memory.
    case partial
    /// It is evaluated in memory.
    case none
  }

  let testDescription: String
  let translation: Translation
  let predicate: @Sendable (Fleet) -> Predicate<Voyage>

  init(
    _ description: String, _ translation: Translation = .full,
    _ predicate: @escaping @Sendable (Fleet) -> Predicate<Voyage>
  ) {
    testDescription = description
    self.translation = translation
    self.predicate = predicate
  }

  static let all = comparisons + text + captured + optionals + relationships + collections + others + inMemory

  private static let comparisons: [PredicateCase] = [
    .init("distance == 3") { _ in #Predicate { $0.distance == 3 } },
    .init("distance != 3") { _ in #Predicate { $0.distance != 3 } },
    .init("3 < distance") { _ in #Predicate { 3 < $0.distance } },
    .init("distance >= Int.max") { _ in
      let largest = Int.max
      return #Predicate { $0.distance >= largest }
    },
    .init("crew == nil") { _ in #Predicate { $0.crew == nil } },
    .init("crew != nil") { _ in #Predicate { $0.crew != nil } },
    .init("crew == 3") { _ in #Predicate { $0.crew == 3 } },
    .init("crew != 3") { _ in #Predicate { $0.crew != 3 } },
    .init("crew, if not nil, == distance") { _ in
      #Predicate { voyage in voyage.crew.flatMap { $0 == voyage.distance } ?? false }
    },
    .init("note == lastBerth?.pier") { _ in #Predicate { $0.note == $0.lastBerth?.pier } },
    .init("serial > Int64.max") { _ in
      let limit = UInt64(Int64.max)
      return #Predicate { $0.serial > limit }
    },
    .init("serial == UInt64.max") { _ in
      let limit = UInt64.max
      return #Predicate { $0.serial == limit }
    },
    .init("speed > 1") { _ in #Predicate { $0.speed > 1 } },
    .init("speed <= 1") { _ in #Predicate { $0.speed <= 1 } },
    .init("speed == 0") { _ in #Predicate { $0.speed == 0 } },
    .init("speed == NaN") { _ in
      let invalid = Fleet.notANumber
      return #Predicate { $0.speed == invalid }
    },
    .init("speed != NaN") { _ in
      let invalid = Fleet.notANumber
      return #Predicate { $0.speed != invalid }
    },
    .init("speed < NaN") { _ in
      let invalid = Fleet.notANumber
      return #Predicate { $0.speed < invalid }
    },
    .init("speed == speed") { _ in #Predicate { $0.speed == $0.speed } },
    .init("speed != speed") { _ in #Predicate { $0.speed != $0.speed } },
    .init("fuel == fuel") { _ in #Predicate { $0.fuel == $0.fuel } },
    .init("fuel != fuel") { _ in #Predicate { $0.fuel != $0.fuel } },
    .init("!(speed > 1)") { _ in #Predicate { !($0.speed > 1) } },
    .init("ratio == 0.1") { _ in #Predicate { $0.ratio == 0.1 } },
    .init("ratio > 0.1") { _ in #Predicate { $0.ratio > 0.1 } },
    .init("departure > day 3") { _ in
      let day = Fleet.date(3)
      return #Predicate { $0.departure > day }
    },
    .init("arrival is before the day after departure") { _ in
      #Predicate { voyage in if let arrival = voyage.arrival { arrival < voyage.departure } else { true } }
    },
    .init("code == UUID") { _ in
      let code = Fleet.code(4)
      return #Predicate { $0.code == code }
    },
    .init("code < UUID") { _ in
      let code = Fleet.code(14)
      return #Predicate { $0.code < code }
    },
    .init("price > 12.5") { _ in
      let price = Decimal(12.5)
      return #Predicate { $0.price > price }
    },
    .init("price < -12.5") { _ in
      let price = Decimal(-12.5)
      return #Predicate { $0.price < price }
    },
    .init("link == URL") { _ in
      let link = URL(string: "https://example.org/3")
      return #Predicate { $0.link == link }
    },
    .init("seal == Data") { _ in
      let seal = Data([1, 0])
      return #Predicate { $0.seal == seal }
    },
    .init("(1...42).contains(distance)") { _ in #Predicate { (1...42).contains($0.distance) } },
    .init("(-4.0..<2.5).contains(speed)") { _ in #Predicate { (-4.0..<2.5).contains($0.speed) } },
    .init("captured range of dates") { _ in
      let days = Fleet.date(-3)...Fleet.date(4)
      return #Predicate { days.contains($0.departure) }
    },
    .init("(crew!...100).contains(distance)") { _ in
      // swift-format-ignore: NeverForceUnwrap
      #Predicate { $0.crew != nil && $0.crew! <= 100 && ($0.crew!...100).contains($0.distance) }
    },
  ]

  private static let text: [PredicateCase] =
    Fleet.texts.flatMap { text -> [PredicateCase] in
      [
        .init("name == \(text.debugDescription)") { _ in #Predicate { $0.name == text } },
        .init("note != \(text.debugDescription)") { _ in #Predicate { $0.note != text } },
        .init("name < \(text.debugDescription)") { _ in #Predicate { $0.name < text } },
        .init("name contains \(text.debugDescription)") { _ in #Predicate { $0.name.contains(text) } },
        .init("name starts with \(text.debugDescription)") { _ in #Predicate { $0.name.starts(with: text) } },
        .init("note?.starts(with: \(text.debugDescription))") { _ in
          #Predicate { $0.note?.starts(with: text) == true }
        },
        .init("name matches \(text.debugDescription)") { _ in
          #Predicate { $0.name.localizedStandardContains(text) }
        },
      ]
    } + [
      .init("name >= berth.pier") { _ in #Predicate { $0.name >= $0.berth.pier } },
      .init("name == berth.pier") { _ in #Predicate { $0.name == $0.berth.pier } },
      .init("name.contains(berth.pier)") { _ in #Predicate { $0.name.contains($0.berth.pier) } },
      .init("a long captured text contains the name") { _ in
        let text = "Café K a e\u{301}x"
        return #Predicate { text.contains($0.name) }
      },
      .init("name.isEmpty") { _ in #Predicate { $0.name.isEmpty } },
      .init("!name.isEmpty") { _ in #Predicate { !$0.name.isEmpty } },
      .init("name.count > 1") { _ in #Predicate { $0.name.count > 1 } },
      .init("note?.count == 1") { _ in #Predicate { $0.note?.count == 1 } },
      .init("note?.isEmpty ?? true") { _ in #Predicate { $0.note?.isEmpty ?? true } },
    ]

  private static let captured: [PredicateCase] = [
    .init("distances contain") { _ in
      let distances = [1, 3, 100]
      return #Predicate { distances.contains($0.distance) }
    },
    .init("no distances contain") { _ in
      let distances: [Int] = []
      return #Predicate { distances.contains($0.distance) }
    },
    .init("!(no distances contain)") { _ in
      let distances: Set<Int> = []
      return #Predicate { !distances.contains($0.distance) }
    },
    .init("100,000 distances contain") { _ in
      let distances = Set(3..<100_003)
      return #Predicate { distances.contains($0.distance) }
    },
    .init("crews with nil contain") { _ in
      let crews = [3, nil, 100]
      return #Predicate { crews.contains($0.crew) }
    },
    .init("!(crews without nil contain)") { _ in
      let crews: [Int?] = [3, 100]
      return #Predicate { !crews.contains($0.crew) }
    },
    .init("names contain, in any form") { _ in
      let names = ["Cafe\u{301}", "K", "nothing", "日本"]
      return #Predicate { names.contains($0.name) }
    },
    .init("speeds contain, NaN among them") { _ in
      let speeds = [1, Double.nan, 0]
      return #Predicate { speeds.contains($0.speed) }
    },
    .init("codes contain") { _ in
      let codes = Set([Fleet.code(1), Fleet.code(7)])
      return #Predicate { codes.contains($0.code) }
    },
    .init("statuses contain") { _ in
      let statuses: [VoyageStatus] = [.planned, .completed]
      return #Predicate { statuses.contains($0.status) }
    },
    .init("status == .completed") { _ in
      let status = VoyageStatus.completed
      return #Predicate { $0.status == status }
    },
    .init("previousStatus != .completed") { _ in
      let status = VoyageStatus.completed
      return #Predicate { $0.previousStatus != status }
    },
    .init("status.rawValue == planned") { _ in #Predicate { $0.status.rawValue == "planned" } },
    .init("category == .mail") { _ in
      let category = VoyageClass.mail
      return #Predicate { $0.category == category }
    },
    .init("category < .mail") { _ in
      let category = VoyageClass.mail
      return #Predicate { $0.category < category }
    },
    .init("category.isLetters") { _ in #Predicate { $0.category.isLetters } },
    .init("category.rawValue == 1") { _ in #Predicate { $0.category.rawValue == 1 } },
    .init("a captured flag decides") { _ in
      let everything = true
      return #Predicate { everything || $0.label == "x" }
    },
    .init("a captured flag rules out") { _ in
      let nothing = false
      return #Predicate { nothing && $0.label == "x" }
    },
    .init("captured elements are tested one by one") { _ in
      let limits = [3, 50]
      return #Predicate { voyage in limits.contains { $0 > voyage.distance && $0 < 40 } }
    },
    .init("all captured elements satisfy") { _ in
      let limits = [3, 50]
      return #Predicate { voyage in limits.allSatisfy { $0 > voyage.distance } }
    },
    .init("persistentModelID == itself") { fleet in
      let id = fleet.identifiers[3]
      return #Predicate { $0.persistentModelID == id }
    },
    .init("id == itself") { fleet in
      let id = fleet.identifiers[5]
      return #Predicate { $0.id == id }
    },
    .init("identifiers contain") { fleet in
      let ids = Set(fleet.identifiers.prefix(4) + [fleet.nemo, Voyage("unsaved").persistentModelID])
      return #Predicate { ids.contains($0.persistentModelID) }
    },
    .init("an unsaved identifier") { _ in
      let id = Voyage("unsaved").persistentModelID
      return #Predicate { $0.persistentModelID == id }
    },
    .init("no unsaved identifier") { _ in
      let id = Voyage("unsaved").persistentModelID
      return #Predicate { $0.persistentModelID != id }
    },
    .init("true") { _ in Predicate.true },
    .init("false") { _ in Predicate.false },
  ]

  private static let optionals: [PredicateCase] = [
    .init("isOpen") { _ in #Predicate { $0.isOpen } },
    .init("!isOpen") { _ in #Predicate { !$0.isOpen } },
    .init("isOpen == false") { _ in #Predicate { $0.isOpen == false } },
    .init("isLate == true") { _ in #Predicate { $0.isLate == true } },
    .init("isLate != true") { _ in #Predicate { $0.isLate != true } },
    .init("isLate ?? true") { _ in #Predicate { $0.isLate ?? true } },
    .init("!(isLate ?? false)") { _ in #Predicate { !($0.isLate ?? false) } },
    .init("(crew ?? 0) > 2") { _ in #Predicate { ($0.crew ?? 0) > 2 } },
    .init("(crew ?? distance) == 3") { _ in #Predicate { ($0.crew ?? $0.distance) == 3 } },
    .init("crew != nil && crew! > 2") { _ in
      // swift-format-ignore: NeverForceUnwrap
      #Predicate { $0.crew != nil && $0.crew! > 2 }
    },
    .init("note?.contains(a) ?? false") { _ in #Predicate { $0.note?.contains("a") ?? false } },
    .init("note?.contains(a) ?? true") { _ in #Predicate { $0.note?.contains("a") ?? true } },
    .init("note?.contains(a) == true") { _ in #Predicate { $0.note?.contains("a") == true } },
    .init("note?.contains(a) == false") { _ in #Predicate { $0.note?.contains("a") == false } },
    .init("note?.contains(a) != true") { _ in #Predicate { $0.note?.contains("a") != true } },
    .init("note?.contains(a) == nil") { _ in #Predicate { $0.note?.contains("a") == nil } },
    .init("!(note?.contains(a) == true)") { _ in #Predicate { !($0.note?.contains("a") == true) } },
    .init("crew.flatMap { $0 != 3 } ?? false") { _ in #Predicate { $0.crew.flatMap { $0 != 3 } ?? false } },
    .init("crew.flatMap { $0 != 3 } ?? true") { _ in #Predicate { $0.crew.flatMap { $0 != 3 } ?? true } },
    .init("if let crew") { _ in
      #Predicate { voyage in if let crew = voyage.crew { crew > voyage.distance } else { false } }
    },
    .init("berth.pier == a") { _ in #Predicate { $0.berth.pier == "a" } },
    .init("berth.number > 1") { _ in #Predicate { $0.berth.number > 1 } },
    .init("berth.depth == nil") { _ in #Predicate { $0.berth.depth == nil } },
    .init("lastBerth == nil") { _ in #Predicate { $0.lastBerth == nil } },
    .init("lastBerth != nil") { _ in #Predicate { $0.lastBerth != nil } },
    .init("lastBerth?.pier == P2") { _ in #Predicate { $0.lastBerth?.pier == "P2" } },
    .init("lastBerth?.pier != P2") { _ in #Predicate { $0.lastBerth?.pier != "P2" } },
    .init("lastBerth?.depth == nil") { _ in #Predicate { $0.lastBerth?.depth == nil } },
    .init("chart == nil") { _ in #Predicate { $0.chart == nil } },
    .init("isOpen ? distance > 3 : crew == nil") { _ in #Predicate { $0.isOpen ? $0.distance > 3 : $0.crew == nil } },
    .init("(isOpen ? distance : berth.number) == 1") { _ in
      #Predicate { ($0.isOpen ? $0.distance : $0.berth.number) == 1 }
    },
  ]

  private static let relationships: [PredicateCase] = [
    .init("captain == nil") { _ in #Predicate { $0.captain == nil } },
    .init("captain != nil") { _ in #Predicate { $0.captain != nil } },
    .init("captain?.persistentModelID == id") { fleet in
      let id = fleet.nemo
      return #Predicate { $0.captain?.persistentModelID == id }
    },
    .init("captain?.persistentModelID != id") { fleet in
      let id = fleet.nemo
      return #Predicate { $0.captain?.persistentModelID != id }
    },
    .init("captain?.id == id") { fleet in
      let id = fleet.nemo
      return #Predicate { $0.captain?.id == id }
    },
    .init("captain?.name == Nemo") { _ in #Predicate { $0.captain?.name == "Nemo" } },
    .init("captain?.name != Nemo") { _ in #Predicate { $0.captain?.name != "Nemo" } },
    .init("captain?.name.contains(e) == true") { _ in #Predicate { $0.captain?.name.contains("e") == true } },
    .init("captain?.age == nil") { _ in #Predicate { $0.captain?.age == nil } },
    .init("(captain?.age ?? 0) > 40") { _ in #Predicate { ($0.captain?.age ?? 0) > 40 } },
    .init("captain?.isRetired ?? false") { _ in #Predicate { $0.captain?.isRetired ?? false } },
    .init("!(captain?.isRetired ?? false)") { _ in #Predicate { !($0.captain?.isRetired ?? false) } },
    .init("captain?.name == note") { _ in #Predicate { $0.captain?.name == $0.note } },
    .init("captain?.name != note") { _ in #Predicate { $0.captain?.name != $0.note } },
    .init("captain?.country?.name == France") { _ in #Predicate { $0.captain?.country?.name == "France" } },
    .init("captain?.country == nil") { _ in #Predicate { $0.captain?.country == nil } },
    .init("captain?.country?.code != FR") { _ in #Predicate { $0.captain?.country?.code != "FR" } },
    .init("captain!.name == Nemo where there is one") { _ in
      // swift-format-ignore: NeverForceUnwrap
      #Predicate { $0.captain != nil && $0.captain!.name == "Nemo" }
    },
    .init("captain?.licence?.number == P1") { _ in #Predicate { $0.captain?.licence?.number == "P1" } },
    .init("captain?.licence == nil") { _ in #Predicate { $0.captain?.licence == nil } },
    .init("captain?.voyages.count == 5") { _ in #Predicate { $0.captain?.voyages.count == 5 } },
    .init("captain?.voyages.isEmpty == true") { _ in #Predicate { $0.captain?.voyages.isEmpty == true } },
    .init("captain's voyages contain a late one") { _ in
      #Predicate { $0.captain?.voyages.contains { $0.isLate == true } == true }
    },
    .init("harbors.isEmpty") { _ in #Predicate { $0.harbors.isEmpty } },
    .init("!harbors.isEmpty") { _ in #Predicate { !$0.harbors.isEmpty } },
    .init("harbors.count > 1") { _ in #Predicate { $0.harbors.count > 1 } },
    .init("harbors contain a deep one") { _ in #Predicate { $0.harbors.contains { $0.depth > 15 } } },
    .init("harbors contain no deep one") { _ in #Predicate { !$0.harbors.contains { $0.depth > 15 } } },
    .init("all harbors are deep") { _ in #Predicate { $0.harbors.allSatisfy { $0.depth > 5 } } },
    .init("two deep harbors") { _ in #Predicate { $0.harbors.filter { $0.depth >= 10 }.count == 2 } },
    .init("no deep harbors") { _ in #Predicate { $0.harbors.filter { $0.depth >= 10 }.isEmpty } },
    .init("deep harbors of a name") { _ in
      #Predicate { $0.harbors.filter { $0.depth >= 10 }.contains { $0.name == "Harbor 1" } }
    },
    .init("harbors of a country") { _ in #Predicate { $0.harbors.contains { $0.country?.name == "France" } } },
    .init("harbors of the captain's country") { _ in
      #Predicate { voyage in
        voyage.harbors.contains {
          $0.country != nil && $0.country?.persistentModelID == voyage.captain?.country?.persistentModelID
        }
      }
    },
    .init("harbors that many voyages reach") { _ in
      #Predicate { $0.harbors.contains { $0.voyages.contains { $0.distance == 100 } } }
    },
    .init("a harbor by identifier") { fleet in
      let id = fleet.north
      return #Predicate { $0.harbors.contains { $0.persistentModelID == id } }
    },
    .init("crates?.isEmpty ?? false") { _ in #Predicate { $0.crates?.isEmpty ?? false } },
    .init("crates == nil") { _ in #Predicate { $0.crates == nil } },
    .init("(crates?.count ?? 0) >= 2") { _ in #Predicate { ($0.crates?.count ?? 0) >= 2 } },
    .init("heavy crates") { _ in #Predicate { $0.crates?.contains { $0.weight > 5 } ?? false } },
    .init("all crates weigh something") { _ in #Predicate { $0.crates?.allSatisfy { $0.weight >= 0 } ?? true } },
    .init("a crate by its own id") { _ in #Predicate { $0.crates?.contains { $0.id == "7.1" } == true } },
    .init("crates of voyages further than this one") { _ in
      #Predicate { voyage in voyage.crates?.contains { $0.weight > voyage.speed } == true }
    },
    .init("is SteamVoyage") { _ in #Predicate { $0 is SteamVoyage } },
    .init("is not SteamVoyage") { _ in #Predicate { !($0 is SteamVoyage) } },
    .init("(as? SteamVoyage)?.coal == 9") { _ in #Predicate { ($0 as? SteamVoyage)?.coal == 9 } },
    .init("(as? SteamVoyage)?.coal != 9") { _ in #Predicate { ($0 as? SteamVoyage)?.coal != 9 } },
    .init("(as? SteamVoyage)?.coal ?? 7 == 7") { _ in #Predicate { (($0 as? SteamVoyage)?.coal ?? 7) == 7 } },
    .init("(as? SteamVoyage) == nil") { _ in #Predicate { ($0 as? SteamVoyage) == nil } },
  ]

  private static let others: [PredicateCase] = [
    .init("distance + 1 on small distances") { _ in
      #Predicate { $0.distance < 1000 && $0.distance > -1000 && $0.distance * 2 + 1 - $0.berth.number == 2 }
    },
    .init("-berth.number < -1") { _ in #Predicate { -$0.berth.number < -1 } },
    .init("distance / 7") { _ in #Predicate { $0.distance / 7 == 6 } },
    .init("distance % 4 == -1") { _ in #Predicate { $0.distance % 4 == -1 } },
    .init("speed * 2 > 3") { _ in #Predicate { $0.speed * 2 > 3 } },
    .init("speed - speed == 0") { _ in #Predicate { $0.speed - $0.speed == 0 } },
    .init("speed - speed != 0") { _ in #Predicate { $0.speed - $0.speed != 0 } },
    .init("!(speed + 1 < 2)") { _ in #Predicate { !($0.speed + 1 < 2) } },
    .init("a calculation that is NaN is not nil") { _ in
      #Predicate { voyage in voyage.crew.flatMap { _ in -voyage.speed } != voyage.lastBerth?.depth }
    },
    .init("a calculation that may be NaN or nil") { _ in
      #Predicate { voyage in voyage.fuel.flatMap { $0 + voyage.speed } == voyage.berth.depth }
    },
    .init("speed * NaN != 0") { _ in
      let invalid = Fleet.notANumber
      return #Predicate { $0.speed * invalid != 0 }
    },
    .init("speed / 2 == 1.25") { _ in #Predicate { $0.speed / 2 == 1.25 } },
    .init("(isOpen || distance > 3) == isOpen") { _ in #Predicate { ($0.isOpen || $0.distance > 3) == $0.isOpen } },
    .init("isOpen && (crew == nil || !(distance < 0))") { _ in
      #Predicate { $0.isOpen && ($0.crew == nil || !($0.distance < 0)) }
    },
    .init("a generic identifier") { fleet in
      func matching<Model: PersistentModel>(_ type: Model.Type, _ id: PersistentIdentifier) -> Predicate<Model> {
        #Predicate { $0.persistentModelID == id }
      }
      return matching(Voyage.self, fleet.identifiers[2])
    },
  ]

  private static let inMemory: [PredicateCase] = [
    .init("a computed property", .none) { _ in #Predicate { $0.label == "a/1" } },
    .init("a computed property after a test", .partial) { _ in
      #Predicate { $0.distance == 1 && $0.label.contains("1") }
    },
    .init("a computed property or a test", .none) { _ in #Predicate { $0.distance == 1 || $0.label == "A/-1" } },
    .init("neither a test nor a computed property", .partial) { _ in
      #Predicate { !($0.distance == 1 || $0.label == "A/-1") }
    },
    .init("not both a test and a computed property", .none) { _ in
      #Predicate { !($0.distance == 1 && $0.label == "a/1") }
    },
    .init("a transient property", .none) { _ in #Predicate { !$0.isSelected } },
    .init("an encoded enum", .none) { _ in
      let event = VoyageEvent.storm(force: 3)
      return #Predicate { $0.event == event }
    },
    .init("a whole composite", .none) { _ in
      let berth = Berth(pier: "a", number: 1, depth: 1)
      return #Predicate { $0.berth == berth }
    },
    .init("external data", .none) { _ in
      let chart = Data([1])
      return #Predicate { $0.chart == chart }
    },
    .init("a division by a possible negative zero", .none) { _ in #Predicate { 1 / -$0.speed > 0 } },
    .init("a part of a collection", .none) { _ in
      let start = 0..<0
      return #Predicate { $0.words[start].isEmpty }
    },
    .init("Float arithmetic", .none) { _ in #Predicate { $0.ratio * 3 > 0.3 } },
    .init("harbors of a computed name", .partial) { _ in
      #Predicate { $0.harbors.contains { $0.label == "Harbor 1!" } }
    },
    .init("no harbor of a computed name", .none) { _ in
      #Predicate { !$0.harbors.contains { $0.label == "Harbor 1!" } }
    },
    .init("an unknown part after a chain", .partial) { _ in
      #Predicate { $0.captain?.label == "Nemo!" && $0.captain?.age == 48 }
    },
  ]
}
