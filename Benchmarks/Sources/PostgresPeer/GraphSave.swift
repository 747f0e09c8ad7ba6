import SwiftData
import Workload

/// Saves of a hundred new objects of three tables.
package final class GraphSave {
  package static let objectCount = 100
  private static let ownerCount = 10
  private static let itemCount = 60

  private let context: ModelContext
  private let seeds = Seeds()

  package init(_ store: Store) {
    context = store.makeContext()
  }

  package func run() throws {
    let owners = (0..<Self.ownerCount).map { Owner(name: "Owner \($0)") }
    for owner in owners { context.insert(owner) }
    for number in 0..<Self.itemCount { context.insert(Item(seeds.items[number], owner: owners[number % owners.count])) }
    for number in Self.ownerCount + Self.itemCount..<Self.objectCount { context.insert(Remark("Remark \(number)")) }
    try context.save()
  }
}
