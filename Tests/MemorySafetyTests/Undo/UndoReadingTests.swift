import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class UndoneCrate {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: nil) var goods: [UndoneGood] = []
  @Relationship(inverse: \UndoneSeal.crate) var seal: UndoneSeal?
  @Relationship(inverse: \UndoneLabel.crates) var labels: [UndoneLabel] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class UndoneGood {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class UndoneSeal {
  var number: Int
  var crate: UndoneCrate?

  init(_ number: Int) {
    self.number = number
  }
}

@Model
final class UndoneLabel {
  var text: String
  var crates: [UndoneCrate] = []

  init(_ text: String) {
    self.text = text
  }
}

/// Undo in a context that has read few of the models it changes, while other contexts change them too.
@Suite("Undo with partly read models")
struct UndoReadingTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let manager = UndoManager()

  init() throws {
    container = try ModelContainer(
      for: UndoneCrate.self, UndoneGood.self, UndoneSeal.self, UndoneLabel.self, LoggedGuild.self, LoggedLodge.self,
      LoggedMember.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    manager.groupsByEvent = false
  }

  private func fill(_ models: any PersistentModel...) throws {
    let filling = ModelContext(container)
    for model in models { filling.insert(model) }
    try filling.save()
    context.undoManager = manager
  }

  private func group(_ body: () throws -> Void) rethrows {
    manager.beginUndoGrouping()
    defer { manager.endUndoGrouping() }
    try body()
  }

  private func only<Model: PersistentModel>(_ type: Model.Type, in context: ModelContext? = nil) throws -> Model {
    let models = try (context ?? self.context).fetch(FetchDescriptor<Model>())
    try #require(models.count == 1)
    return models[0]
  }

  private func stored<Model: PersistentModel>(_ type: Model.Type) throws -> [Model] {
    try ModelContext(container).fetch(FetchDescriptor<Model>())
  }

  @Test("Undo restores members that were not read before the first of them changed", arguments: [true, false])
  func changedUnread(isSaved: Bool) throws {
    let (guild, member) = (LoggedGuild(1), LoggedMember(1))
    guild.staff = [member]
    try fill(guild)
    let (mine, first, second) = (try only(LoggedGuild.self), try only(LoggedMember.self), LoggedMember(2))
    group {
      first.employer = nil
      mine.staff.append(second)
    }
    if isSaved { try context.save() }
    manager.undo()
    #expect(first.employer === mine)
    #expect(mine.staff.map(\.number) == [1])
    try context.save()
    #expect(try stored(LoggedMember.self).map { $0.employer?.code } == [1])
  }

  @Test("Undo restores both sides of a many-to-many that was not read")
  func manyToMany() throws {
    let (crate, label) = (UndoneCrate("a"), UndoneLabel("b"))
    crate.labels = [label]
    try fill(crate)
    let (mine, mineLabel) = (try only(UndoneCrate.self), try only(UndoneLabel.self))
    let other = UndoneLabel("c")
    group {
      mine.labels.removeAll()
      other.crates.append(mine)
    }
    try context.save()
    manager.undo()
    try context.save()
    #expect(mine.labels.map(\.text) == ["b"])
    #expect(mineLabel.crates.map(\.name) == ["a"])
    #expect(try stored(UndoneCrate.self).map { $0.labels.map(\.text) } == [["b"]])
  }

  @Test("Undo restores a one-to-one partner that was not read and holds the foreign key", arguments: [true, false])
  func oneToOne(isSaved: Bool) throws {
    let (crate, seal) = (UndoneCrate("a"), UndoneSeal(1))
    crate.seal = seal
    try fill(crate)
    let mine = try only(UndoneCrate.self)
    group { context.delete(mine) }
    if isSaved { try context.save() }
    manager.undo()
    #expect(mine.seal?.number == 1)
    try context.save()
    #expect(try stored(UndoneSeal.self).map { $0.crate?.name } == ["a"])
    #expect(!context.hasChanges)
  }

  @Test("Undo does not restore a model that another context deleted")
  func deletedTarget() throws {
    let (guild, member) = (LoggedGuild(1), LoggedMember(1))
    member.guild = guild
    try fill(member)
    let mine = try only(LoggedMember.self)
    group { mine.guild = nil }
    try context.save()
    let other = ModelContext(container)
    other.delete(try only(LoggedGuild.self, in: other))
    try other.save()
    manager.undo()
    #expect(mine.guild == nil)
    try context.save()
    #expect(try stored(LoggedGuild.self).isEmpty)
  }

  @Test("Undoing an insertion keeps models that existed before, even if a cascade would delete them")
  func cascade() throws {
    try fill(UndoneGood("old"))
    let good = try only(UndoneGood.self)
    let crate = UndoneCrate("a")
    group {
      context.insert(crate)
      crate.goods = [good, UndoneGood("new")]
    }
    try context.save()
    manager.undo()
    try context.save()
    #expect(try stored(UndoneGood.self).map(\.name) == ["old"])
    manager.redo()
    try context.save()
    #expect(try only(UndoneCrate.self, in: ModelContext(container)).goods.map(\.name).sorted() == ["new", "old"])
  }

  @Test("Without a group each change is undone separately")
  func ungrouped() throws {
    try fill(LoggedGuild(1))
    let guild = try only(LoggedGuild.self)
    for name in ["a", "b", "c"] { guild.name = name }
    #expect(manager.undoCount == 3)
    manager.undo()
    #expect(guild.name == "b")
  }

  @Test("Undoing a deletion keeps the members that another context added meanwhile", arguments: [true, false])
  func addedMeanwhile(isMerged: Bool) throws {
    let (guild, member) = (LoggedGuild(1), LoggedMember(1))
    guild.members = [member]
    try fill(guild)
    let mine = try only(LoggedGuild.self)
    #expect(mine.members.count == 1)
    group { context.delete(mine) }
    let other = ModelContext(container)
    let added = LoggedMember(2)
    other.insert(added)
    added.guild = try only(LoggedGuild.self, in: other)
    try other.save()
    if isMerged { context.processPendingChanges() }
    manager.undo()
    try context.save()
    #expect(try stored(LoggedGuild.self).first?.members.map(\.number) == [1, 2])
  }

  @Test("Removing a manager's actions releases the models")
  func forgotten() throws {
    try fill(LoggedGuild(1))
    weak var model: LoggedGuild?
    try {
      let guild = LoggedGuild(2)
      model = guild
      group { context.insert(guild) }
      context.delete(guild)
      try context.save()
      manager.removeAllActions()
    }()
    #expect(model == nil)
  }

  @Test("A context whose undo manager is removed during an undo registers no more actions")
  func removedManager() throws {
    try fill(LoggedGuild(1))
    let guild = try only(LoggedGuild.self)
    group { guild.name = "a" }
    nonisolated(unsafe) let context = context
    withObservationTracking {
      _ = guild.name
    } onChange: {
      context.undoManager = nil
    }
    manager.undo()
    #expect(guild.name.isEmpty)
    #expect(!manager.canRedo)
  }
}
