import SwiftData

@Model final class Master {
  var name: String
  var count = 0
  @Relationship(deleteRule: .cascade, inverse: \Beast.master) var beasts: [Beast] = []
  @Relationship(inverse: \Medal.masters) var medals: [Medal] = []
  var partner: Master?
  @Relationship(inverse: \Master.partner) var partnerOf: Master?
  var heldMedals: [Medal]?

  init(_ name: String) {
    self.name = name
  }
}

@Model final class Beast {
  var name: String
  var age = 0
  var master: Master?
  @Relationship(inverse: nil) var friend: Beast?
  @Relationship(inverse: \Beast.packOf) var pack: [Beast] = []
  var packOf: [Beast] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model final class Medal {
  var word: String
  var masters: [Master] = []
  @Relationship(inverse: \Master.heldMedals) var holders: [Master]?

  init(_ word: String) {
    self.word = word
  }
}
