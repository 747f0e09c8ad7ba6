import Foundation
import SwiftData
import Testing

// A conformance that some applications declare to sort by truth values.
// swift-format-ignore: AvoidRetroactiveConformances
extension Bool: @retroactive Comparable {
  public static func < (left: Bool, right: Bool) -> Bool { !left && right }
}

@Model
final class Chore {
  var title: String
  var isDone: Bool
  var isUrgent: Bool?

  init(_ title: String, isDone: Bool, isUrgent: Bool?) {
    self.title = title
    self.isDone = isDone
    self.isUrgent = isUrgent
  }
}

@Suite("Applications that make truth values comparable")
struct ComparableBoolTests {
  @Test(
    "Saved and pending models are sorted by truth values",
    arguments: [SortOrder.forward, .reverse])
  func sorting(order: SortOrder) throws {
    let context = ModelContext(try ModelContainer(testing: [Chore.self]))
    context.allowsInMemoryEvaluation = false
    let values: [Bool?] = [true, nil, false]
    for number in 0..<9 {
      context.insert(Chore("\(number)", isDone: number % 2 == 0, isUrgent: values[number % 3]))
      if number == 5 { try context.save() }
    }
    let descriptor = FetchDescriptor<Chore>(
      sortBy: [SortDescriptor(\.isDone, order: order), SortDescriptor(\.isUrgent, order: order)])
    let pending = try context.fetch(descriptor).map(\.title)
    try context.save()
    let stored = try context.fetch(descriptor).map(\.title)
    let ascending = ["1", "7", "5", "3", "4", "2", "8", "0", "6"]
    let descending = ["0", "6", "2", "8", "4", "3", "5", "1", "7"]
    #expect(stored == (order == .forward ? ascending : descending))
    #expect(pending == stored)
  }
}
