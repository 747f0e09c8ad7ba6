import Workload

/// An owner and the items that belong to it.
struct OwnedItems {
  let owner: Owner
  var items: [Item]
}

extension Digest {
  init(of owned: [OwnedItems]) {
    self.init()
    for entry in owned {
      let number = Seeds.ownerNumber(ofName: entry.owner.name)
      for item in entry.items {
        add(item)
        ownership += item.count * number
      }
    }
  }
}
