import Foundation
import SwiftData

// Models with relationship rules that a save or a deletion must follow.

@Model
final class Ring {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Ring.previous) var next: Ring?
  var previous: Ring?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Kiosk {
  var name: String
  @Relationship(deleteRule: .deny, inverse: \Purchase.shop) var orders: [Purchase] = []
  @Relationship(deleteRule: .noAction, inverse: \Visit.shop) var visits: [Visit] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Purchase {
  var number: Int
  var shop: Kiosk?

  init(_ number: Int, shop: Kiosk? = nil) {
    self.number = number
    self.shop = shop
  }
}

@Model
final class Visit {
  var day: Int
  var shop: Kiosk?

  init(_ day: Int, shop: Kiosk? = nil) {
    self.day = day
    self.shop = shop
  }
}

@Model
final class Invoice {
  var number: Int
  @Relationship(inverse: \Line.invoice) var lines: [Line] = []

  init(_ number: Int) {
    self.number = number
  }
}

@Model
final class Line {
  var text: String
  var invoice: Invoice

  init(_ text: String, _ invoice: Invoice) {
    self.text = text
    self.invoice = invoice
  }
}

@Model
final class Team {
  var name: String
  @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Player.team) var players: [Player] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Player {
  var name: String
  var team: Team?

  init(_ name: String) {
    self.name = name
  }
}

func makeRules() throws -> ModelContainer {
  try makeContainer(
    Ring.self, Kiosk.self, Purchase.self, Visit.self, Invoice.self, Line.self, Team.self, Player.self)
}
