import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Model
private final class Parcel {
  struct Lock: Codable, Equatable {
    var code: Int?
  }

  struct Lid: Codable, Equatable {
    var size: Int
    var lock: Lock?
  }

  var number: Int
  var lid: Lid?
  @Attribute(.codable) var spare: Lid?
  @Relationship(inverse: \Parcel.inner) var outer: Parcel?
  var inner: Parcel?

  init(_ number: Int, _ lid: Lid?) {
    self.number = number
    self.lid = lid
    spare = lid
  }
}

@Suite("Optional chains with a structure")
struct OptionalStructureTests {
  private let context: ModelContext
  private let reader: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Parcel.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writer = ModelContext(container)
    let lids: [Parcel.Lid?] = [
      nil, .init(size: 1, lock: nil), .init(size: 1, lock: .init(code: nil)), .init(size: 2, lock: .init(code: 7)),
    ]
    for (number, lid) in lids.enumerated() {
      let parcel = Parcel(number, lid)
      writer.insert(parcel)
      let outer = Parcel(10 + number, nil)
      writer.insert(outer)
      outer.inner = parcel
    }
    try writer.save()
    context = ModelContext(container)
    context.allowsInMemoryEvaluation = false
    reader = ModelContext(container)
  }

  private func expectSame(_ predicate: Predicate<Parcel>, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let order = [SortDescriptor(\Parcel.number)]
    let all = try reader.fetch(FetchDescriptor<Parcel>(sortBy: order))
    let expected = try all.filter { try predicate.evaluate($0) }.map(\.number)
    #expect(!expected.isEmpty && expected.count < all.count, sourceLocation: sourceLocation)
    let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order)).map(\.number)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  @Test("A chain may contain a structure in columns, of the model or of a to-one's target")
  func columns() throws {
    try expectSame(#Predicate { $0.inner?.lid?.size == 1 })
    try expectSame(#Predicate { $0.inner?.lid?.size != 1 })
    try expectSame(#Predicate { $0.inner?.lid == nil })
    try expectSame(#Predicate { $0.inner?.lid != nil })
    try expectSame(#Predicate { $0.lid?.lock?.code == 7 })
    try expectSame(#Predicate { $0.lid?.lock == nil })
    try expectSame(#Predicate { $0.lid?.lock?.code == nil })
    try expectSame(#Predicate { $0.inner?.lid?.lock?.code == 7 })
    try expectSame(#Predicate { $0.inner?.lid?.lock == nil })
    try expectSame(#Predicate { ($0.inner?.lid?.size ?? 5) == 5 })
    try expectSame(#Predicate { ($0.inner?.lid?.size ?? 0) > 1 })
  }

  @Test("A chain may contain a structure in one JSON text")
  func encoded() throws {
    try expectSame(#Predicate { $0.inner?.spare?.size == 1 })
    try expectSame(#Predicate { $0.inner?.spare == nil })
    try expectSame(#Predicate { $0.spare?.lock?.code == 7 })
    try expectSame(#Predicate { $0.spare?.lock == nil })
    try expectSame(#Predicate { $0.inner?.spare?.lock?.code == 7 })
    try expectSame(#Predicate { $0.inner?.spare?.lock?.code != 7 })
    try expectSame(#Predicate { $0.inner?.spare?.lock == nil })
  }
}
