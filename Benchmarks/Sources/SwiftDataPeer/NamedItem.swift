import SwiftData
import Workload

/// The names of an item.
@Model
final class NamedItem {
  var name: String
  var accentedName: String

  init(_ seed: ItemSeed) {
    name = seed.name
    accentedName = seed.accentedName
  }
}

/// The name of an item, with a search index.
@Model
final class SearchableItem {
  @Attribute(.spotlight) var name: String

  init(_ seed: ItemSeed) {
    name = seed.name
  }
}
