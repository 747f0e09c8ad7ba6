import Foundation
import SwiftData
import Workload

/// A row of a list that is shown sorted by name.
protocol Named: PersistentModel {
  var number: Int { get }
  static var byName: SortDescriptor<Self> { get }
  init(_ seed: NameSeed)
}

@Model
final class PlainName: Named {
  var name: String
  var number: Int

  static var byName: SortDescriptor<PlainName> { SortDescriptor(\.name) }

  init(_ seed: NameSeed) {
    name = seed.name
    number = seed.number
  }
}

@Model
final class IndexedName: Named {
  #Index<IndexedName>([\.name])

  var name: String
  var number: Int

  static var byName: SortDescriptor<IndexedName> { SortDescriptor(\.name) }

  init(_ seed: NameSeed) {
    name = seed.name
    number = seed.number
  }
}
