import SwiftData

@Model
final class Purse {
  @Attribute(.unique) var owner: String
  var coins: Int
  var note = ""
  @Relationship(deleteRule: .cascade, inverse: \PursePayment.purse) var payments: [PursePayment] = []

  init(_ owner: String, coins: Int) {
    self.owner = owner
    self.coins = coins
  }
}

@Model
final class PursePayment {
  var coins: Int
  var purse: Purse?

  init(coins: Int) {
    self.coins = coins
  }
}
