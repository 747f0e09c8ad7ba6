import Foundation
import SwiftData

@testable import TestSupport

// Models with properties of every type that predicates and sort descriptors support.

enum VoyageStatus: String, Codable, CaseIterable, Comparable, Sendable {
  case planned
  case underway
  case completed = "KM;`"

  var isCurrent: Bool { self == .underway }
  var rank: Int { self == .planned ? 1 : 2 }

  static func < (left: VoyageStatus, right: VoyageStatus) -> Bool { left.rank > right.rank }
}

enum VoyageClass: Int, Codable, Comparable, Sendable {
  case cargo = 2
  case mail = 1

  var isLetters: Bool { self == .mail }

  static func < (left: VoyageClass, right: VoyageClass) -> Bool { left == .cargo && right == .mail }
}

enum VoyageEvent: Codable, Equatable, Sendable {
  case none
  case storm(force: Int)

  var isStorm: Bool { self != .none }
}

struct Berth: Codable, Hashable, Sendable {
  var pier: String
  var number: Int
  var depth: Double?
}

@Model
class Voyage {
  var name: String
  var note: String?
  var distance: Int
  var crew: Int?
  var serial: UInt64
  var speed: Double
  var fuel: Double?
  var ratio: Float
  var departure: Date
  var arrival: Date?
  var isOpen: Bool
  var isLate: Bool?
  var code: UUID
  var price: Decimal
  var link: URL?
  var seal: Data?
  var status: VoyageStatus
  var previousStatus: VoyageStatus?
  var category: VoyageClass
  var event: VoyageEvent
  var berth: Berth
  var lastBerth: Berth?
  var words: [String]
  var numbers: [Int] = []
  var lengths: [Double] = []
  var stops: [Berth] = []
  var ranks: [String: Int] = [:]
  var pastStatuses: [VoyageStatus] = []
  var pastCategories: [VoyageClass] = []
  var marks: [UUID] = []
  var pages: [URL] = []
  @Attribute(.externalStorage) var chart: Data?
  var captain: Captain?
  @Relationship(inverse: \Harbor.voyages) var harbors: [Harbor] = []
  @Relationship(deleteRule: .cascade, inverse: \Crate.voyage) var crates: [Crate]? = []

  @Transient var isSelected = false
  var label: String { "\(name)/\(distance)" }

  init(_ name: String) {
    self.name = name
    distance = 0
    serial = 0
    speed = 0
    ratio = 0
    departure = Date(timeIntervalSinceReferenceDate: 0)
    isOpen = false
    code = UUID()
    price = 0
    status = .planned
    category = .cargo
    event = .none
    berth = Berth(pier: "A", number: 1, depth: nil)
    words = []
  }
}

@Model
final class SteamVoyage: Voyage {
  var coal: Int = 7

  override init(_ name: String) {
    super.init(name)
  }
}

@Model
final class Captain {
  var name: String
  var age: Int?
  var isRetired = false
  var label: String { name + "!" }
  var country: Country?
  var licence: Licence?
  @Relationship(inverse: \Voyage.captain) var voyages: [Voyage] = []

  init(_ name: String, age: Int? = nil) {
    self.name = name
    self.age = age
  }
}

@Model
final class Country {
  var name: String
  var code: String?
  @Relationship(inverse: \Captain.country) var captains: [Captain] = []

  init(_ name: String, code: String? = nil) {
    self.name = name
    self.code = code
  }
}

@Model
final class Licence {
  var number: String
  @Relationship(inverse: \Captain.licence) var captain: Captain?

  init(_ number: String) {
    self.number = number
  }
}

@Model
final class Harbor {
  @Attribute(.unique) var name: String
  var depth: Int
  var voyages: [Voyage] = []
  var label: String { name + "!" }
  var country: Country?

  init(_ name: String, depth: Int) {
    self.name = name
    self.depth = depth
  }
}

@Model
final class Crate {
  var id: String
  var weight: Double
  var voyage: Voyage?

  init(_ id: String, weight: Double) {
    self.id = id
    self.weight = weight
  }
}
