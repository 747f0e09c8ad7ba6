import SwiftData
import Workload

@Model
final class Owner {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Item.owner) var items: [Item] = []

  init(name: String) {
    self.name = name
  }
}

extension Digest {
  init(of owners: [Owner]) {
    self.init()
    for owner in owners {
      let number = Seeds.ownerNumber(ofName: owner.name)
      for item in owner.items {
        add(item)
        ownership += item.count * number
      }
    }
  }
}
