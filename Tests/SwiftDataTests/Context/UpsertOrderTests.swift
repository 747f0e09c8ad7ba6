import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Subscriber {
  @Attribute(.unique) var email: String
  @Attribute(.unique) var nick: String?
  var note: String

  init(_ email: String, _ nick: String?, _ note: String) {
    self.email = email
    self.nick = nick
    self.note = note
  }
}

@Model
final class Drawer {
  @Attribute(.unique) var title: String
  var colour: String
  @Relationship(inverse: \Sheet.drawer) var sheets: [Sheet] = []

  init(_ title: String, colour: String = "") {
    self.title = title
    self.colour = colour
  }
}

@Model
final class Sheet {
  #Unique<Sheet>([\.drawer, \.name])
  @Attribute(.unique) var code: String?
  var name: String
  var note: String
  var drawer: Drawer?

  init(_ name: String, _ note: String, in drawer: Drawer? = nil, code: String? = nil) {
    self.name = name
    self.note = note
    self.drawer = drawer
    self.code = code
  }
}

@Model
final class Twig {
  #Unique<Twig>([\.parent, \.name])
  var name: String
  var note: String
  var parent: Twig?
  @Relationship(inverse: \Twig.parent) var twigs: [Twig] = []

  init(_ name: String, _ note: String, of parent: Twig? = nil) {
    self.name = name
    self.note = note
    self.parent = parent
  }
}

@Suite("Upserts when unique values change hands in one save")
struct UpsertOrderTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try makeContainer(Subscriber.self, Drawer.self, Sheet.self, Twig.self)
    context = ModelContext(container)
  }

  private func subscribers() throws -> [String] {
    try container.freshContext().all(Subscriber.self, by: \.email).map {
      "\($0.email) \($0.nick ?? "-") \($0.note)"
    }
  }

  private func sheets() throws -> [String] {
    try container.freshContext().all(Sheet.self, by: \.note).map {
      "\($0.drawer?.title ?? "-") \($0.name) \($0.note)"
    }
  }

  // MARK: Insertions that release values for other insertions

  @Test(
    "A value that one upsert releases from a row is free for another insertion, in either order",
    arguments: [true, false])
  func released(isFirst: Bool) throws {
    let row = Subscriber("e1", "n1", "old")
    context.insert(row)
    try context.save()
    let (renamed, other) = (Subscriber("e1", "n2", "B"), Subscriber("e9", "n1", "C"))
    for model in isFirst ? [renamed, other] : [other, renamed] { context.insert(model) }
    try context.save()
    #expect(try subscribers() == ["e1 n2 B", "e9 n1 C"])
    // As with two saves, the first insertion becomes the row.
    #expect(row.note == (isFirst ? "B" : "C"))
    #expect((isFirst ? renamed : other).modelContext == nil)
    #expect((isFirst ? other : renamed).modelContext === context)
  }

  @Test("An upsert with nil for a unique value releases the row's value", arguments: [true, false])
  func releasedForNil(isSaved: Bool) throws {
    context.insert(Subscriber("e1", "n1", "A"))
    if isSaved { try context.save() }
    context.insert(Subscriber("e1", nil, "B"))
    context.insert(Subscriber("e9", "n1", "C"))
    try context.save()
    #expect(try subscribers() == ["e1 - B", "e9 n1 C"])
  }

  @Test("A unique value that an insertion of the same save released is free", arguments: ["n1", "n2"])
  func releasedByInserted(nick: String) throws {
    context.insert(Subscriber("e1", "n1", "A"))
    context.insert(Subscriber("e1", "n2", "B"))
    context.insert(Subscriber("e3", nick, "C"))
    try context.save()
    #expect(try subscribers() == (nick == "n1" ? ["e1 n2 B", "e3 n1 C"] : ["e3 n2 C"]))
  }

  @Test("In a series of upserts each compares with the values that the row has by then")
  func chain() throws {
    context.insert(Subscriber("e1", "n1", "old"))
    try context.save()
    for (email, nick, note) in [("e1", "n2", "A"), ("e3", "n2", "B"), ("e1", "n1", "C"), ("e3", "n4", "D")] {
      context.insert(Subscriber(email, nick, note))
    }
    try context.save()
    #expect(try subscribers() == ["e1 n1 C", "e3 n4 D"])
  }

  @Test("A to-one that an upsert leaves nil stays a part of the row's unique values")
  func keptReference() throws {
    let drawer = Drawer("a")
    context.insert(Sheet("x", "old", in: drawer, code: "k"))
    try context.save()
    context.insert(Sheet("y", "B", code: "k"))
    context.insert(Sheet("y", "C", in: drawer, code: "c"))
    context.insert(Sheet("x", "D", in: drawer, code: "d"))
    try context.save()
    #expect(try sheets() == ["a y C", "a x D"])
  }

  @Test("The later of two equal insertions wins when a third insertion's unique value references it")
  func referencedTarget() throws {
    let sheet = Sheet("x", "new")
    context.insert(sheet)
    context.insert(Drawer("a", colour: "red"))
    let later = Drawer("a", colour: "blue")
    context.insert(later)
    sheet.drawer = later
    try context.save()
    #expect(try container.freshContext().only(Drawer.self).colour == "blue")
    #expect(try sheets() == ["a x new"])
  }

  // MARK: Updates that reference insertions

  @Test(
    "A unique value that an update releases by moving to an inserted target is free for an insertion",
    arguments: [true, false])
  func movedAway(isTargetFirst: Bool) throws {
    let first = Drawer("a")
    let old = Sheet("x", "old", in: first)
    context.insert(old)
    try context.save()
    let second = Drawer("b")
    if isTargetFirst { context.insert(second) }
    let new = Sheet("x", "new", in: first)
    context.insert(new)
    if !isTargetFirst { context.insert(second) }
    old.drawer = second
    try context.save()
    #expect(try sheets() == ["a x new", "b x old"])
    #expect(old.drawer === second)
    #expect(new.modelContext === context)
  }

  /// Two saved sheets of a drawer, the first of which an unsaved change moves to an inserted drawer.
  private func moved() throws -> (old: Sheet, other: Sheet) {
    let first = Drawer("a")
    let (old, other) = (Sheet("x", "old", in: first), Sheet("y", "other", in: first))
    context.insert(old)
    context.insert(other)
    try context.save()
    let second = Drawer("b")
    context.insert(second)
    old.drawer = second
    return (old, other)
  }

  @Test("A unique value that an update releases by moving to an inserted target is free for another update")
  func movedAwayForUpdate() throws {
    let (_, other) = try moved()
    other.name = "x"
    try context.save()
    #expect(try sheets() == ["b x old", "a x other"])
  }

  @Test("An update that moves to an inserted target may repeat a value of another row with its old target")
  func renamedAndMoved() throws {
    let (old, _) = try moved()
    old.name = "y"
    try context.save()
    #expect(try sheets() == ["b y old", "a y other"])
  }

  @Test("An insertion with the unique values of an update that references an inserted target becomes its row")
  func movedInto() throws {
    let old = Sheet("x", "old", in: Drawer("a"))
    context.insert(old)
    try context.save()
    let second = Drawer("b")
    context.insert(second)
    old.drawer = second
    context.insert(Sheet("x", "new", in: second))
    try context.save()
    #expect(try sheets() == ["b x new"])
    #expect(old.note == "new")
    #expect(old.drawer === second)
  }

  @Test("An inserted target that becomes an existing row gives that row's key to the update's unique values")
  func mergedTarget() throws {
    let first = Drawer("a")
    let old = Sheet("x", "old", in: first)
    context.insert(old)
    context.insert(Sheet("x", "other", in: Drawer("b")))
    try context.save()
    old.drawer = Drawer("b", colour: "blue")
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    old.name = "y"
    try context.save()
    #expect(try sheets() == ["b y old", "b x other"])
  }

  @Test("Saved models exchange the targets that their unique values contain")
  func exchanged() throws {
    let (first, second) = (Drawer("a"), Drawer("b"))
    let sheets = [Sheet("x", "1", in: first), Sheet("x", "2", in: second)]
    for sheet in sheets { context.insert(sheet) }
    try context.save()
    sheets[0].drawer = second
    sheets[1].drawer = first
    try context.save()
    #expect(try self.sheets() == ["b x 1", "a x 2"])
  }

  @Test("An inserted model may have the unique values of a model that moves below it")
  func displacedBelow() throws {
    let root = Twig("root", "0")
    let old = Twig("x", "2", of: root)
    context.insert(old)
    try context.save()
    let group = Twig("x", "1", of: root)
    context.insert(group)
    old.parent = group
    try context.save()
    let twigs = try container.freshContext().all(Twig.self, by: \.note)
    #expect(twigs.map(\.name) == ["root", "x", "x"])
    #expect(twigs.map { $0.parent?.note } == [nil, "0", "1"])
  }

  @Test("Models that reference themselves are not merged with one another")
  func ownParents() throws {
    let twigs = [Twig("x", "1"), Twig("x", "2")]
    for twig in twigs {
      context.insert(twig)
      twig.parent = twig
    }
    try context.save()
    #expect(try container.freshContext().all(Twig.self, by: \.note).map { $0.parent?.note } == ["1", "2"])
  }
}
