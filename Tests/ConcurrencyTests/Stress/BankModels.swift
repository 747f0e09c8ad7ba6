import SwiftData

@testable import TestSupport

/// An account; its bookings are deleted with it.
@Model
final class Account {
  @Attribute(.unique) var number: Int
  var note = 0
  @Relationship(deleteRule: .cascade, inverse: \Booking.account) var bookings: [Booking] = []
  @Relationship(inverse: \Holder.accounts) var holders: [Holder] = []

  init(number: Int) {
    self.number = number
  }
}

/// A line of an account, which may be moved to another one.
@Model
final class Booking {
  var amount: Int
  var account: Account?

  init(amount: Int) {
    self.amount = amount
  }
}

/// Owns accounts, by itself or with other owners.
@Model
final class Holder {
  @Attribute(.unique) var name: String
  var accounts: [Account] = []

  init(name: String) {
    self.name = name
  }
}
