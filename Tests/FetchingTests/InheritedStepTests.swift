import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Model
private final class WareBox {
  var number: Int
  var ware: FragileWare?

  init(_ number: Int, _ ware: FragileWare?) {
    self.number = number
    self.ware = ware
  }
}

/// The accessor of an inherited property differs between classes, and so do its key paths.
@Suite("Key paths of several steps with inherited properties")
struct InheritedStepTests {
  private let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Ware.self, FragileWare.self, WareKeeper.self, WarePart.self, WareBox.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writer = ModelContext(container)
    for number in 0..<6 {
      let ware = FragileWare(number)
      writer.insert(ware)
      ware.words = ["word"]
      ware.owner = number % 3 == 0 ? nil : WareKeeper("keeper \(9 - number)")
      writer.insert(WareBox(number, number == 5 ? nil : ware))
    }
    try writer.save()
    context = ModelContext(container)
    context.allowsInMemoryEvaluation = false
  }

  private func numbers(_ sort: SortDescriptor<WareBox>) throws -> [Int] {
    try context.fetch(FetchDescriptor(sortBy: [sort])).map(\.number)
  }

  @Test("Models are sorted by an inherited property of a to-one's target")
  func sortByTarget() throws {
    // Names are "name 0" to "name 3", then repeat; nil comes first.
    #expect(try numbers(SortDescriptor(\.ware?.name)) == [5, 0, 4, 1, 2, 3])
    #expect(try numbers(SortDescriptor(\.ware?.rating, order: .reverse)) == [4, 3, 2, 1, 0, 5])
    #expect(try numbers(SortDescriptor(\.ware?.owner?.name)) == [0, 3, 5, 4, 2, 1])
  }

  @Test("Models are sorted by a property reached through an inherited to-one")
  func sortFromInherited() throws {
    let sorted = try context.fetch(FetchDescriptor<FragileWare>(sortBy: [SortDescriptor(\.owner?.name)]))
    #expect(sorted.map { $0.owner?.name } == [nil, nil, "keeper 4", "keeper 5", "keeper 7", "keeper 8"])
  }

  @Test("Models are sorted by a structure's field of an inherited property")
  func fields() throws {
    #expect(try numbers(SortDescriptor(\.ware?.place.shelf, order: .reverse)) == [4, 3, 2, 1, 0, 5])
  }

  @Test("Inherited relationships are prefetched")
  func prefetching() throws {
    var boxes = FetchDescriptor<WareBox>()
    boxes.relationshipKeyPathsForPrefetching = [\.ware?.owner]
    #expect(try context.fetch(boxes).compactMap { $0.ware?.owner }.count == 3)
    var wares = FetchDescriptor<FragileWare>()
    wares.relationshipKeyPathsForPrefetching = [\.owner?.wares]
    #expect(try context.fetch(wares).count == 6)
  }

  @Test("Distinct values and sums use inherited properties")
  func aggregates() throws {
    #expect(try context.fetchDistinct(of: \WareBox.ware?.name).count == 5)
    #expect(try context.fetchDistinct(of: \FragileWare.owner?.name).count == 5)
    #expect(try context.fetchAggregates(.maximum(of: \WareBox.ware?.rating)) == 4)
    #expect(try context.fetchAggregates(.sum(of: \FragileWare.place.shelf)) == 15)
  }

  @Test("A computed property is only evaluated for models of the store")
  func computedIsNotTried() throws {
    // It reads the first element of a list, which is empty in models with placeholder values.
    let descriptor = FetchDescriptor<WareBox>(sortBy: [SortDescriptor(\.ware?.firstWord)])
    #expect(try ModelContext(context.container).fetch(descriptor).map(\.number).first == 5)
  }

  @Test("Sorting by a computed property with an inherited property's type is refused")
  func computed() {
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) { try numbers(SortDescriptor(\.ware?.title)) }
  }
}
