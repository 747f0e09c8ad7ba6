import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum Dancers {
  @Model
  final class Dancer {
    @Attribute(.unique) var number: Int
    var partner: Dancer?
    @Relationship(inverse: \Dancer.partner) var partnerOf: Dancer?

    init(_ number: Int) {
      self.number = number
    }
  }
}

@Suite("One-to-ones of rows that an insertion becomes by upsert")
struct UpsertedPartnerTests {
  typealias Dancer = Dancers.Dancer

  @Test("An upsert that changes a one-to-one clears the inverse of the earlier target", arguments: [true, false])
  func clearsInverse(isRead: Bool) throws {
    let container = try makeContainer(Dancer.self)
    let first = ModelContext(container)
    let (one, two) = (Dancer(1), Dancer(2))
    first.insert(one)
    first.insert(two)
    two.partner = one
    try first.save()
    let context = ModelContext(container)
    let dancers = try context.all(Dancer.self, by: \.number)
    if isRead { #expect(dancers[0].partnerOf === dancers[1]) }
    // The new model has the number of the second row, and becomes that row.
    let new = Dancer(2)
    context.insert(new)
    new.partner = dancers[1]
    try context.save()
    #expect(dancers[0].partnerOf == nil)
    #expect(dancers[1].partner === dancers[1])
    #expect(dancers[1].partnerOf === dancers[1])
    let found = try ModelContext(container).all(Dancer.self, by: \.number)
    #expect(found.map { $0.partner?.number } == [nil, 2])
    #expect(found.map { $0.partnerOf?.number } == [nil, 2])
  }

  @Test("An upsert of an unchanged row that another context linked yields to a link of the same save")
  func yields() throws {
    let container = try makeContainer(Dancer.self)
    let (mine, theirs) = (ModelContext(container), ModelContext(container))
    for number in 1...3 { mine.insert(Dancer(number)) }
    try mine.save()
    let dancers = try mine.all(Dancer.self, by: \.number)
    let others = try theirs.all(Dancer.self, by: \.number)
    dancers[0].partner = dancers[2]
    mine.insert(Dancer(2))
    others[1].partner = others[2]
    try mine.save(interruptedBy: theirs)
    for context in [mine, theirs, ModelContext(container)] {
      context.processPendingChanges()
      let found = try context.all(Dancer.self, by: \.number)
      #expect(found.map { $0.partner?.number } == [3, nil, nil])
      #expect(found.map { $0.partnerOf?.number } == [nil, nil, 1])
    }
  }
}
