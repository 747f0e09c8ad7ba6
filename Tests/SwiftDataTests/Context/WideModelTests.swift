import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// A model with more properties than the mask of changed properties has bits.
@Model
final class Ledgers {
  var name: String
  var p1: Int? = 1
  var p2: Int? = 2
  var p3: Int? = 3
  var p4: Int? = 4
  var p5: Int? = 5
  var p6: Int? = 6
  var p7: Int? = 7
  var p8: Int? = 8
  var p9: Int? = 9
  var p10: Int? = 10
  var p11: Int? = 11
  var p12: Int? = 12
  var p13: Int? = 13
  var p14: Int? = 14
  var p15: Int? = 15
  var p16: Int? = 16
  var p17: Int? = 17
  var p18: Int? = 18
  var p19: Int? = 19
  var p20: Int? = 20
  var p21: Int? = 21
  var p22: Int? = 22
  var p23: Int? = 23
  var p24: Int? = 24
  var p25: Int? = 25
  var p26: Int? = 26
  var p27: Int? = 27
  var p28: Int? = 28
  var p29: Int? = 29
  var p30: Int? = 30
  var p31: Int? = 31
  var p32: Int? = 32
  var p33: Int? = 33
  var p34: Int? = 34
  var p35: Int? = 35
  var p36: Int? = 36
  var p37: Int? = 37
  var p38: Int? = 38
  var p39: Int? = 39
  var p40: Int? = 40
  var p41: Int? = 41
  var p42: Int? = 42
  var p43: Int? = 43
  var p44: Int? = 44
  var p45: Int? = 45
  var p46: Int? = 46
  var p47: Int? = 47
  var p48: Int? = 48
  var p49: Int? = 49
  var p50: Int? = 50
  var p51: Int? = 51
  var p52: Int? = 52
  var p53: Int? = 53
  var p54: Int? = 54
  var p55: Int? = 55
  var p56: Int? = 56
  var p57: Int? = 57
  var p58: Int? = 58
  var p59: Int? = 59
  var p60: Int? = 60
  var p61: Int? = 61
  var p62: Int? = 62
  var p63: Int? = 63
  var p64: Int? = 64
  var p65: Int? = 65
  var p66: Int? = 66
  @Relationship(inverse: nil) var next: Ledgers?
  @Relationship(inverse: \LedgerPage.ledger) var pages: [LedgerPage] = []
  var shelf: LedgerShelf?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class LedgerPage {
  var number: Int
  var ledger: Ledgers?

  init(_ number: Int) {
    self.number = number
  }
}

@Model
final class LedgerShelf {
  @Relationship(deleteRule: .cascade, inverse: \Ledgers.shelf) var ledgers: [Ledgers] = []

  init() {}
}

@Suite("Models with more than 63 properties")
struct WideModelTests {
  private let container: ModelContainer

  init() throws {
    container = try makeContainer(Ledgers.self, LedgerPage.self, LedgerShelf.self)
    let context = ModelContext(container)
    let first = Ledgers("a")
    context.insert(first)
    first.next = Ledgers("b")
    first.pages = [LedgerPage(1)]
    let shelf = LedgerShelf()
    context.insert(shelf)
    first.shelf = shelf
    try context.save()
  }

  private func first(_ context: ModelContext) throws -> Ledgers {
    let descriptor = FetchDescriptor<Ledgers>(predicate: #Predicate { $0.name == "a" })
    return try #require(try context.fetch(descriptor).first)
  }

  @Test("Saving a model with many properties does not write unread values")
  func unread() throws {
    let context = ModelContext(container)
    var partial = FetchDescriptor<Ledgers>(predicate: #Predicate { $0.name == "a" })
    partial.propertiesToFetch = [\.name]
    let found = try #require(try context.fetch(partial).first)
    found.p65 = 650
    try context.save()
    let saved = try first(ModelContext(container))
    #expect([saved.p1, saved.p62, saved.p63, saved.p64, saved.p65, saved.p66] == [1, 62, 63, 64, 650, 66])
    #expect(saved.next?.name == "b")
  }

  @Test("Changes of several properties are saved together, and one by one")
  func changes() throws {
    let context = ModelContext(container)
    let found = try first(context)
    found.p66 = nil
    found.next = nil
    try context.save()
    found.p64 = 640
    try context.save()
    let saved = try first(ModelContext(container))
    #expect([saved.p63, saved.p64, saved.p65, saved.p66] == [63, 640, 65, nil])
    #expect(saved.next == nil)
  }

  @Test("A property that shares the last bit of the mask with a changed one still follows other saves")
  func members() throws {
    let context = ModelContext(container)
    let found = try first(context)
    #expect(found.pages.map(\.number) == [1])
    found.p65 = 650
    let other = ModelContext(container)
    let page = LedgerPage(2)
    other.insert(page)
    page.ledger = try first(other)
    try other.save()
    context.processPendingChanges()
    #expect(found.pages.map(\.number) == [1, 2])
    #expect(try context.fetch(FetchDescriptor<LedgerPage>()).count == 2)
    try context.save()
    #expect(try first(ModelContext(container)).pages.map(\.number) == [1, 2])
  }

  @Test("Changing a property that shares the last bit of the mask keeps the model's owner")
  func owner() throws {
    let context = ModelContext(container)
    let found = try first(context)
    found.p65 = 650
    let shelf = try context.only(LedgerShelf.self)
    #expect(shelf.ledgers.first === found)
    try context.save()
    #expect(shelf.ledgers.first === found)
    context.delete(shelf)
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Ledgers>()).map(\.name) == ["b"])
  }

  @Test("A list of a row that another context deleted is not recorded in the history")
  func listOfDeletedRow() throws {
    let (mine, theirs) = (ModelContext(container), ModelContext(container))
    let (found, other) = (try first(mine), try first(theirs))
    let identifier = found.persistentModelID
    found.pages = []
    theirs.delete(other)
    try mine.save(interruptedBy: theirs)
    let changes = try #require(try container.logged().last).logged
    #expect(!changes.isEmpty)
    #expect(!changes.contains { $0.identifier == identifier })
  }
}
