import SwiftData

@Model
final class Owner {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Item.owner) var items: [Item] = []

  init(name: String) {
    self.name = name
  }
}
