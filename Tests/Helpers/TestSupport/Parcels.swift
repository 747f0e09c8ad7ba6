import Foundation
import SwiftData

@Model
final class Parcel {
  #Index<Parcel>([\.weight], [\.label], [\.due], [\.price])

  var weight: Int
  var label: String
  var due: Date?
  var price: Double
  var sender: Sender?
  @Relationship(inverse: \Stamp.parcel) var stamps: [Stamp] = []

  init(_ label: String, weight: Int) {
    self.label = label
    self.weight = weight
    price = Double(weight)
  }
}

@Model
final class Sender {
  #Index<Sender>([\.name])

  var name: String
  @Relationship(inverse: \Parcel.sender) var parcels: [Parcel] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Stamp {
  var value: Int
  var parcel: Parcel?

  init(_ value: Int) {
    self.value = value
  }
}
