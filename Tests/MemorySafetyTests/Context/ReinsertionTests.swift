import Foundation
import Observation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Troupe {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Mime.troupe) var players: [Mime] = []
  @Relationship(deleteRule: .cascade, inverse: \Warrant.troupe) var charter: Warrant?
  @Relationship(inverse: \Hall.troupe) var hall: Hall?
  @Relationship(inverse: \Patron.troupes) var patrons: [Patron] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Mime {
  var name: String
  var troupe: Troupe?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Warrant {
  var year: Int
  var troupe: Troupe?

  init(_ year: Int) {
    self.year = year
  }
}

@Model
final class Hall {
  var name: String
  var troupe: Troupe?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Patron {
  var name: String
  var troupes: [Troupe] = []

  init(_ name: String) {
    self.name = name
  }
}

/// References a troupe; the relationship has no inverse.
@Model
final class Poster {
  var troupe: Troupe?

  init() {}
}

/// A troupe with two players, a charter, a hall and a patron, saved.
private struct TroupeFixture {
  let container: ModelContainer
  let context: ModelContext
  let troupe = Troupe("t")
  let players = [Mime("a"), Mime("b")]
  let charter = Warrant(1599)
  let hall = Hall("h")
  let patron = Patron("p")

  init() throws {
    container = try ModelContainer(
      for: Troupe.self, Poster.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    context.insert(troupe)
    troupe.players = players
    troupe.charter = charter
    troupe.hall = hall
    troupe.patrons = [patron]
    try context.save()
  }

  /// The relationships of each model, from both sides.
  static func links(_ context: ModelContext) throws -> [String] {
    var lines: [String] = []
    for troupe in try context.fetch(FetchDescriptor<Troupe>()) {
      let players = troupe.players.map(\.name).sorted().joined()
      let patrons = troupe.patrons.map(\.name).sorted().joined()
      lines.append("\(troupe.name): \(players) \(troupe.charter?.year ?? 0) \(troupe.hall?.name ?? "-") \(patrons)")
    }
    lines += try context.fetch(FetchDescriptor<Mime>()).map { "\($0.name) of \($0.troupe?.name ?? "-")" }
    lines += try context.fetch(FetchDescriptor<Warrant>()).map { "\($0.year) of \($0.troupe?.name ?? "-")" }
    lines += try context.fetch(FetchDescriptor<Hall>()).map { "\($0.name) of \($0.troupe?.name ?? "-")" }
    lines += try context.fetch(FetchDescriptor<Patron>()).map { patron in
      "\(patron.name) of \(patron.troupes.map(\.name).sorted().joined())"
    }
    return lines.sorted()
  }

  /// Checks the models in memory before and after a save, and the store.
  func expect(_ lines: [String], _ location: SourceLocation = #_sourceLocation) throws {
    #expect(try Self.links(context) == lines.sorted(), sourceLocation: location)
    try context.save()
    #expect(try Self.links(context) == lines.sorted(), sourceLocation: location)
    #expect(try Self.links(ModelContext(container)) == lines.sorted(), sourceLocation: location)
    context.rollback()
    #expect(try Self.links(context) == lines.sorted(), sourceLocation: location)
  }

  static let whole = ["t: ab 1599 h p", "a of t", "b of t", "1599 of t", "h of t", "p of t"]
}

/// Deletes its rafts; the relationship has no inverse.
@Model
final class Flotilla {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: nil) var rafts: [Raft] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Raft {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

@Suite("Reinsertion of a deleted model before the save")
struct ReinsertionTests {
  enum Way: CaseIterable {
    case inserted, linked, linkedOneWay, insertedWithSource
  }

  @Test(
    "Reinserting a model restores the models that its deletion cascaded to, and both sides of all relationships",
    arguments: Way.allCases)
  func cascade(way: Way) throws {
    let stage = try TroupeFixture()
    let (context, troupe) = (stage.context, stage.troupe)
    context.delete(troupe)
    #expect(stage.players[0].isDeleted)
    let source = Poster()
    switch way {
    case .inserted:
      context.insert(troupe)
    case .linked:
      let patron = Patron("q")
      context.insert(patron)
      patron.troupes = [troupe]
      context.delete(patron)
    case .linkedOneWay:
      context.insert(source)
      source.troupe = troupe
    case .insertedWithSource:
      source.troupe = troupe
      context.insert(source)
    }
    #expect(!troupe.isDeleted && !stage.players[0].isDeleted && !stage.charter.isDeleted)
    try stage.expect(TroupeFixture.whole)
    troupe.players.append(Mime("c"))
    try stage.expect(["t: abc 1599 h p", "a of t", "b of t", "c of t", "1599 of t", "h of t", "p of t"])
  }

  @Test(
    "Reinserting an owner does not restore a member that was deleted separately, before or after it",
    arguments: [false, true])
  func deletedByItself(after: Bool) throws {
    let container = try makeContainer(Flotilla.self)
    let context = ModelContext(container)
    let flotilla = Flotilla("f")
    context.insert(flotilla)
    let rafts = ["a", "b", "c"].map { Raft($0) }
    flotilla.rafts = rafts
    try context.save()
    if !after { context.delete(rafts[0]) }
    context.delete(flotilla)
    if after { context.delete(rafts[0]) }
    context.insert(flotilla)
    #expect(rafts.map(\.isDeleted) == [true, false, false])
    try context.save()
    #expect(flotilla.rafts.map(\.name) == ["b", "c"])
    #expect(try ModelContext(container).all(Raft.self, by: \.name).map(\.name) == ["b", "c"])
    // The cascade of the first deletion is forgotten.
    context.delete(rafts[1])
    context.delete(flotilla)
    context.rollback()
    context.delete(flotilla)
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Raft>()) == 0)
  }

  @Test(
    "A reinserted model is on the other side of its relationships again", arguments: [0, 1, 2, 3])
  func otherSides(kind: Int) throws {
    let stage = try TroupeFixture()
    let models: [any PersistentModel] = [stage.players[0], stage.charter, stage.hall, stage.patron]
    func change<Model: PersistentModel>(_ model: Model) {
      stage.context.delete(model)
      stage.context.insert(model)
    }
    change(models[kind])
    try stage.expect(TroupeFixture.whole)
  }

  @Test("A transient model restores deleted models that its relationships reach")
  func transientModel() throws {
    let stage = try TroupeFixture()
    stage.context.delete(stage.troupe)
    Mime("c").troupe = stage.troupe
    #expect(!stage.troupe.isDeleted)
    try stage.expect(["t: abc 1599 h p", "a of t", "b of t", "c of t", "1599 of t", "h of t", "p of t"])
  }

  @Test("Reinserting a model restores the unsaved models that its deletion cascaded to")
  func unsavedModel() throws {
    let stage = try TroupeFixture()
    stage.troupe.players.append(Mime("c"))
    stage.context.delete(stage.troupe)
    stage.context.insert(stage.troupe)
    try stage.expect(["t: abc 1599 h p", "a of t", "b of t", "c of t", "1599 of t", "h of t", "p of t"])
  }

  @Test("A deleted model that its previous owner references again is a member only once", arguments: [false, true])
  func linkedAgain(isPatron: Bool) throws {
    let stage = try TroupeFixture()
    if isPatron {
      stage.context.delete(stage.patron)
      stage.troupe.patrons.append(stage.patron)
    } else {
      stage.context.delete(stage.troupe)
      stage.patron.troupes.append(stage.troupe)
    }
    try stage.expect(TroupeFixture.whole)
  }

  @Test("Reinserting an owner does not restore members that were deleted separately or moved to another owner")
  func deletedOrMovedSeparately() throws {
    let stage = try TroupeFixture()
    let (context, troupe) = (stage.context, stage.troupe)
    context.delete(stage.players[1])
    context.delete(troupe)
    context.delete(stage.patron)
    let other = Troupe("o")
    context.insert(other)
    stage.hall.troupe = other
    context.insert(troupe)
    try stage.expect(["t: a 1599 - ", "o:  0 h ", "a of t", "1599 of t", "h of o"])
  }

  @Test("A rollback restores all deleted models")
  func rollbackRestoresAll() throws {
    let stage = try TroupeFixture()
    stage.context.delete(stage.troupe)
    stage.context.insert(stage.troupe)
    stage.context.delete(stage.players[0])
    stage.context.insert(stage.players[0])
    stage.context.rollback()
    try stage.expect(TroupeFixture.whole)
  }
}

@Suite("Reinsertion of a model whose insertion was rolled back")
struct RolledBackInsertionTests {
  @Test(
    "A relationship of a reinserted model can be set from either side, and is set on both",
    arguments: [false, true])
  func linkedAgain(isLinkedBack: Bool) throws {
    let stage = try TroupeFixture()
    let other = Troupe("o")
    stage.patron.troupes.append(other)
    stage.context.rollback()
    #expect(other.patrons.map(\.name) == ["p"])
    if isLinkedBack { stage.patron.troupes.append(other) } else { other.patrons.append(stage.patron) }
    #expect(other.patrons.count == 1 && stage.patron.troupes.count == 2)
    try stage.expect(TroupeFixture.whole.filter { $0 != "p of t" } + ["o:  0 - p", "p of ot"])
  }
}

@Suite("Reinsertion of a model whose deletion was saved")
struct LinkedBeforeInsertionTests {
  @Test("Relationships set before the insertion of a new model reach reinserted models from both sides")
  func linkedOutside() throws {
    let stage = try TroupeFixture()
    let (context, hall, players, patron) = (stage.context, stage.hall, stage.players, stage.patron)
    for model in [hall, players[0], patron] as [any PersistentModel] { context.delete(model) }
    try context.save()
    let other = Troupe("o")
    other.hall = hall
    other.players = [players[0]]
    other.patrons.append(patron)
    context.insert(other)
    #expect(hall.troupe === other && players[0].troupe === other)
    // The reinserted models have their last values as well.
    try stage.expect(["t: b 1599 - p", "o: a 0 h p", "a of o", "b of t", "1599 of t", "h of o", "p of ot"])
  }
}

@Suite("Members of unsaved models that another context deleted")
struct GoneMemberTests {
  @Test(
    "Members that another context deleted leave an unsaved model's relationships on both sides",
    arguments: [false, true])
  func members(isLinkedFromMember: Bool) throws {
    let stage = try TroupeFixture()
    let (context, other) = (stage.context, Troupe("o"))
    context.insert(other)
    if isLinkedFromMember {
      stage.players[0].troupe = other
      stage.patron.troupes.append(other)
    } else {
      other.players = [stage.players[0]]
      other.patrons = [stage.patron]
    }
    let theirs = ModelContext(stage.container)
    for player in try theirs.fetch(FetchDescriptor<Mime>(predicate: #Predicate { $0.name == "a" })) {
      theirs.delete(player)
    }
    for patron in try theirs.fetch(FetchDescriptor<Patron>()) { theirs.delete(patron) }
    try theirs.save()
    context.processPendingChanges()
    #expect(other.players.isEmpty && other.patrons.isEmpty)
    try stage.expect(["t: b 1599 h ", "o:  0 - ", "b of t", "1599 of t", "h of t"])
  }
}

@Suite("Observers that use the context")
struct BusyObserverTests {
  /// Observes a property so that `body` runs when it changes.
  private func observe<Value>(_ read: @autoclosure () -> Value, _ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    withObservationTracking {
      _ = read()
    } onChange: {
      body()
    }
  }

  @Test("A rollback by an observer of a set attribute leaves the set value as an unsaved change")
  func rollbackWhileAttribute() throws {
    let stage = try TroupeFixture()
    observe(stage.troupe.name) { stage.context.rollback() }
    stage.troupe.name = "u"
    #expect(stage.troupe.hasChanges && stage.context.hasChanges)
    try stage.expect(["u: ab 1599 h p", "a of u", "b of u", "1599 of u", "h of u", "p of u"])
  }

  @Test("A save by an observer of a set attribute leaves the set value as an unsaved change")
  func saveWhileAttribute() throws {
    let stage = try TroupeFixture()
    observe(stage.troupe.name) { try? stage.context.save() }
    stage.troupe.name = "u"
    #expect(stage.troupe.hasChanges)
    stage.context.rollback()
    try stage.expect(TroupeFixture.whole)
  }

  @Test("A rollback inside a rollback has no effect")
  func nestedRollback() throws {
    let stage = try TroupeFixture()
    stage.troupe.name = "u"
    stage.troupe.hall = nil
    observe(stage.troupe.name) { stage.context.rollback() }
    observe(stage.hall.troupe) { stage.context.rollback() }
    stage.context.rollback()
    try stage.expect(TroupeFixture.whole)
  }

  @Test("An enumeration notifies observers of each change immediately")
  func enumerationNotifiesObservers() throws {
    let stage = try TroupeFixture()
    var notified: [String] = []
    observe(stage.hall.troupe) { notified.append("hall") }
    try stage.context.enumerate(FetchDescriptor<Troupe>(), allowEscapingMutations: true) { troupe in
      troupe.hall = nil
      notified.append("set")
    }
    #expect(notified == ["hall", "set"])
  }

  @Test("A rollback by an observer of a relationship leaves both sides consistent", arguments: 0..<5)
  func links(observed: Int) throws {
    let stage = try TroupeFixture()
    let context = stage.context
    let other = Troupe("o")
    context.insert(other)
    other.hall = Hall("i")
    try context.save()
    let roll = { context.rollback() }
    switch observed {
    case 0: observe(stage.players[0].troupe, roll)
    case 1: observe(stage.troupe.players, roll)
    case 2: observe(other.players, roll)
    case 3: observe(stage.hall.troupe, roll)
    default: observe(stage.troupe.hall, roll)
    }
    stage.players[0].troupe = other
    stage.hall.troupe = other
    let lines = try TroupeFixture.links(context)
    try context.save()
    #expect(try TroupeFixture.links(context) == lines)
    #expect(try TroupeFixture.links(ModelContext(stage.container)) == lines)
    for troupe in [stage.troupe, other] {
      #expect(troupe.players.allSatisfy { $0.troupe === troupe })
      #expect(troupe.hall.map { $0.troupe === troupe } ?? true)
    }
    for player in stage.players { #expect(player.troupe?.players.contains { $0 === player } ?? true) }
  }

  @Test("A rollback by an observer of a deletion leaves both sides consistent", arguments: 0..<3)
  func deletion(observed: Int) throws {
    let stage = try TroupeFixture()
    let context = stage.context
    switch observed {
    case 0: observe(stage.hall.troupe) { context.rollback() }
    case 1: observe(stage.players[1].troupe) { context.rollback() }
    default: observe(stage.patron.troupes) { context.rollback() }
    }
    context.delete(stage.troupe)
    try stage.expect(TroupeFixture.whole)
  }
}
