import Foundation
import SwiftData
import Workload

/// A row of a list that is sorted by name.
protocol Named: PersistentModel {
  var number: Int { get }
  static var byName: SortDescriptor<Self> { get }
  /// The checksum of a page. Each class implements it, because generic code would take longer than the fetch.
  static func sum(_ models: [Self]) -> Int
  init(_ seed: NameSeed)
}

@Model
final class PlainName: Named {
  var name: String
  var number: Int

  static var byName: SortDescriptor<PlainName> { SortDescriptor(\.name) }
  static func sum(_ models: [PlainName]) -> Int { NamePage.sum(models.map { $0.number }) }

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
  static func sum(_ models: [IndexedName]) -> Int { NamePage.sum(models.map { $0.number }) }

  init(_ seed: NameSeed) {
    name = seed.name
    number = seed.number
  }
}
