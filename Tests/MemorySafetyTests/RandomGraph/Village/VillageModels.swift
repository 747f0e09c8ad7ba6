import SwiftData

@testable import TestSupport

// The models of the random test with several contexts: each kind of relationship, delete rule and uniqueness.

/// The root of three levels of inheritance, each with a unique value.
@Model
class Villager {
  @Attribute(.unique) var name: String
  var age: Int?
  @Relationship(inverse: \Villager.admirers) var friends: [Villager] = []
  var admirers: [Villager] = []
  @Relationship(inverse: \Villager.partnerOf) var partner: Villager?
  var partnerOf: Villager?
  var club: Club?
  var master: Guildmaster?
  @Relationship(deleteRule: .cascade, inverse: \Tool.owner) var tools: [Tool] = []

  init(name: String) {
    self.name = name
  }
}

@Model
class Smith: Villager {
  @Attribute(.unique) var code: String?
  var strength = 0
  @Relationship(inverse: \Forge.smith) var forge: Forge?

  init(name: String, code: String?) {
    self.code = code
    super.init(name: name)
  }
}

@Model
final class Guildmaster: Smith {
  @Attribute(.unique) var seal: String?
  @Relationship(inverse: \Villager.master) var apprentices: [Villager] = []

  init(name: String, code: String?, seal: String?) {
    self.seal = seal
    super.init(name: name, code: code)
  }
}

@Model
final class House {
  var address: String
  @Relationship(inverse: \Room.house) var rooms: [Room] = []

  init(address: String) {
    self.address = address
  }
}

@Model
final class Room {
  var number: Int
  var house: House
  @Relationship(deleteRule: .cascade, inverse: \Chest.room) var chests: [Chest] = []

  init(number: Int, house: House) {
    self.number = number
    self.house = house
  }
}

@Model
final class Chest {
  var weight: Int
  var room: Room?
  @Relationship(inverse: \Label.chests) var labels: [Label] = []

  init(weight: Int) {
    self.weight = weight
  }
}

@Model
final class Label {
  @Attribute(.unique) var word: String
  var colour: Int?
  var chests: [Chest]?

  init(word: String) {
    self.word = word
  }
}

@Model
final class Club {
  #Unique<Club>([\.town, \.number])

  var town: String
  var number: Int
  var motto = ""
  @Relationship(deleteRule: .deny, inverse: \Villager.club) var members: [Villager] = []
  @Relationship(inverse: nil) var prize: Tool?

  init(town: String, number: Int) {
    self.town = town
    self.number = number
  }
}

@Model
final class Tool {
  var weight: Int
  var owner: Villager?

  init(weight: Int) {
    self.weight = weight
  }
}

@Model
final class Forge {
  var heat: Int
  var smith: Smith?

  init(heat: Int) {
    self.heat = heat
  }
}
