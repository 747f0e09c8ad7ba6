import GRDB
import Workload

/// An owner and the items that belong to it.
struct OwnedItems: Decodable, FetchableRecord {
  let owner: Owner
  var items: [Item]

  /// GRDB uses the strategy of the fetched record, not those of the records inside.
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }
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
