import Foundation
import SwiftData

// In a separate file: in a release build, each file has its own functions that call the accessors of these properties.

struct Address: Codable {
  var street: String
  var city: String
}

enum Standing: String, Codable {
  case member
  case guest
}

@Model
final class Owner {
  var name: String
  var address: Address?
  var standing: Standing
  @Relationship(inverse: \Item.owner) var items: [Item] = []

  init(name: String, city: String, standing: Standing) {
    self.name = name
    self.standing = standing
    address = Address(street: "Main Street", city: city)
  }
}

@Model
class Item {
  var title: String
  var count: Int
  var owner: Owner?

  init(title: String, count: Int) {
    self.title = title
    self.count = count
  }
}

@Model
final class Book: Item {
  var pages: Int

  init(title: String, count: Int, pages: Int) {
    self.pages = pages
    super.init(title: title, count: count)
  }
}
