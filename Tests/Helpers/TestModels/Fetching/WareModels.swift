import Foundation
import SwiftData

@testable import TestSupport

// Models that are used through an application's protocols.

protocol Named: PersistentModel {
  var name: String { get }
}

/// Its requirement is at the same position as that of `Named`.
protocol Labelled: PersistentModel {
  var label: String { get }
}

protocol Dated {
  associatedtype Moment: Comparable & Sendable
  var date: Moment { get set }
  var changes: [Moment] { get }
}

protocol Serialized {
  var code: UUID { get }
}

protocol Placed {
  var place: WarePlace { get }
  var formerPlace: WarePlace? { get }
}

protocol Kept {
  associatedtype Owner: Named
  associatedtype Part: Named & Rated
  var owner: Owner? { get }
  var parts: [Part] { get }
}

protocol Rated {
  var rating: Int { get }
}

/// Requirements for which `Ware` has no stored properties.
protocol Described {
  var title: String { get }
  var alias: String { get }
  var caption: String { get }
  var upper: String { get }
  var untitled: String { get }
  var trimmed: String { get }
  var firstWord: String { get }
  var ownersName: String { get }
  var distance: Int { get }
  var capped: Int { get }
  var sum: Int { get }
  var leader: WareKeeper? { get }
  var sorted: [WarePart] { get }
  var fallback: String? { get }
  var host: String { get }
  var isShown: Bool { get }
}

struct WarePlace: Codable, Hashable, Sendable {
  var city: String
  var shelf: Int
}

@Model
class Ware: Named, Labelled, Dated, Serialized, Placed, Kept, Rated {
  let code: UUID
  var name: String
  var label: String
  var note: String?
  var date: Date
  var changes: [Date] = []
  var rating: Int
  var bonus = 0
  var isHidden = false
  var words: [String] = []
  var place: WarePlace
  var formerPlace: WarePlace?
  var owner: WareKeeper?
  @Relationship(inverse: \WarePart.ware) var parts: [WarePart] = []

  @Transient var mark = ""
  var caption: String { label }

  init(_ number: Int) {
    code = Fleet.code(UInt8(number))
    name = "name \(number % 4)"
    label = "label \(number % 3)"
    date = Fleet.date(number * 7 % 10)
    rating = number % 5
    place = WarePlace(city: "city \(number % 2)", shelf: number)
  }
}

extension Ware: Described {
  var title: String { name + "!" }
  var alias: String { name }
  var upper: String { label.uppercased() }
  var untitled: String { name.isEmpty ? "Untitled" : name }
  var trimmed: String { name.trimmingCharacters(in: .whitespaces) }
  var firstWord: String { words[0] }
  var ownersName: String { owner?.name ?? "none" }
  var distance: Int { rating * 2 }
  var capped: Int { min(rating, 100) }
  var sum: Int { rating + bonus }
  var leader: WareKeeper? { owner ?? nil }
  var sorted: [WarePart] { parts.sorted { $0.rating < $1.rating } }
  var fallback: String? { note ?? name }
  var host: String { URL(string: name.replacing(" ", with: "-"))?.scheme ?? "none" }
  var isShown: Bool { !isHidden }
}

@Model
final class FragileWare: Ware {
  var wrapping = "paper"
  override var caption: String { "fragile " + label }

  override init(_ number: Int) {
    super.init(number)
  }
}

@Model
final class WareKeeper: Named {
  var name: String
  @Relationship(inverse: \Ware.owner) var wares: [Ware] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class WarePart: Named, Rated {
  var id: Int
  var name: String
  var rating: Int
  var ware: Ware?

  init(_ name: String, rating: Int) {
    id = rating * 10
    self.name = name
    self.rating = rating
  }
}

/// A store of twelve wares: every third ware has no owner, and every second one no parts.
func makeWares(_ log: StatementLog = StatementLog()) throws -> ModelContainer {
  let container = try log.observe {
    try ModelContainer(
      for: Ware.self, FragileWare.self, WareKeeper.self, WarePart.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }
  let context = ModelContext(container)
  let keepers = ["Ada", "Ben"].map { WareKeeper($0) }
  for number in 0..<12 {
    let ware = number % 4 == 3 ? FragileWare(number) : Ware(number)
    context.insert(ware)
    ware.words = ["word \(number)"]
    ware.isHidden = number % 2 == 0
    ware.owner = number % 3 == 0 ? nil : keepers[number % 2]
    ware.parts = (0..<(number % 2 * 3)).map { WarePart("part \($0)", rating: number + $0) }
  }
  try context.save()
  return container
}
