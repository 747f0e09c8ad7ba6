import Foundation
import SwiftData

@testable import TestSupport

// Enumerations as most people declare them: with raw values, and without a list of their cases.

enum DossierState: String, Codable, Comparable, Sendable {
  case draft
  case open = "offen"
  case closed

  var title: String { "\(self)".capitalized }
  var isOpen: Bool { self == .open }

  static func < (left: DossierState, right: DossierState) -> Bool { left.title > right.title }
}

enum DossierLevel: UInt8, Codable, Sendable {
  case low = 3
  case high = 200

  var isHigh: Bool { self == .high }
}

enum DossierOrigin: Int, Codable, Sendable {
  case mail = 7

  var name: String { "by mail" }
}

/// Has its own encoding in JSON.
enum DossierMark: String, Codable, Sendable {
  case red, blue

  init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decode(String.self) == "blue" ? .red : .blue
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self == .red ? "blue" : "red")
  }
}

/// Two of its cases have the same raw value.
enum DossierShade: RawRepresentable, Codable, Sendable {
  case light, dark, black

  var rawValue: Int { if case .light = self { 0 } else { 1 } }
  var isLight: Bool { self == .light }

  init?(rawValue: Int) { self = rawValue == 0 ? .light : .dark }
}

struct DossierPlace: Codable, Hashable, Sendable {
  var shelf: Int
  var state: DossierState
  var level: DossierLevel?
}

@Model
final class Dossier {
  enum Kind: String, Codable {
    case invoice, letter

    var isPaid: Bool { self == .invoice }
  }

  var number: Int
  var kind: Kind
  var state: DossierState
  var formerState: DossierState?
  var level: DossierLevel
  var origin: DossierOrigin = DossierOrigin.mail
  var shade: DossierShade = DossierShade.light
  var place: DossierPlace
  var formerPlace: DossierPlace?
  var kinds: [Kind] = []
  var states: Set<DossierState> = []
  var levels: [DossierLevel?] = []
  var marks: [DossierMark] = []
  var places: [DossierPlace] = []
  var votes: [String: DossierState] = [:]

  init(_ number: Int) {
    let states: [DossierState] = [.draft, .open, .closed]
    self.number = number
    kind = number % 2 == 0 ? .invoice : .letter
    state = states[number % 3]
    formerState = number % 4 == 0 ? nil : states[number % 2]
    level = number % 3 == 0 ? .high : .low
    shade = number % 2 == 0 ? .light : .dark
    place = DossierPlace(shelf: number, state: states[(number + 1) % 3], level: number % 2 == 0 ? nil : .high)
    formerPlace = number % 3 == 0 ? place : nil
    kinds = number % 3 == 0 ? [] : [.letter, kind]
    self.states = Set(states.prefix(number % 4))
    levels = [[], [nil], [.low, nil], [.high]][number % 4]
    marks = number % 2 == 0 ? [.red] : [.blue]
    places = number % 2 == 0 ? [] : [place]
    votes = number % 2 == 0 ? ["ann": states[number % 3]] : [:]
  }
}
