import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Undoing the changes of a context")
struct UndoTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let manager = UndoManager()

  init() throws {
    container = try ModelContainer(
      for: LoggedGuild.self, LoggedLodge.self, LoggedMember.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    manager.groupsByEvent = false
    context.undoManager = manager
  }

  /// Makes one undo group of the changes in a body.
  private func group(_ body: () throws -> Void) rethrows {
    manager.beginUndoGrouping()
    defer { manager.endUndoGrouping() }
    try body()
  }

  private func stored<Model: PersistentModel>(_ type: Model.Type) throws -> [Model] {
    try ModelContext(container).fetch(FetchDescriptor<Model>())
  }

  /// A guild with two members, saved, and nothing to undo.
  private func savedGuild() throws -> (LoggedGuild, LoggedMember, LoggedMember) {
    let (guild, first, second) = (LoggedGuild(1), LoggedMember(1), LoggedMember(2))
    context.insert(guild)
    guild.staff = [first, second]
    try context.save()
    manager.removeAllActions()
    return (guild, first, second)
  }

  // MARK: Changes

  @Test("A context has no undo manager by default")
  func none() {
    #expect(ModelContext(container).undoManager == nil)
    #expect(context.undoManager === manager)
  }

  @Test("An insertion is undone and redone")
  func insertion() throws {
    let guild = LoggedGuild(1)
    group { context.insert(guild) }
    #expect(manager.canUndo)
    manager.undo()
    #expect(guild.modelContext == nil)
    #expect(!context.hasChanges)
    #expect(!manager.canUndo && manager.canRedo)
    manager.redo()
    #expect(guild.modelContext === context)
    try context.save()
    #expect(try stored(LoggedGuild.self).map(\.code) == [1])
  }

  @Test("A changed value is undone and redone")
  func attribute() throws {
    let (guild, _, _) = try savedGuild()
    group {
      guild.name = "a"
      guild.name = "b"
    }
    group { guild.name = "c" }
    manager.undo()
    #expect(guild.name == "b")
    manager.undo()
    #expect(guild.name.isEmpty)
    manager.redo()
    manager.redo()
    #expect(guild.name == "c")
    #expect(!manager.canRedo)
  }

  @Test("A changed value is undone although its previous value was not read")
  func unread() throws {
    _ = try savedGuild()
    let other = ModelContext(container)
    other.undoManager = manager
    var descriptor = FetchDescriptor<LoggedMember>(sortBy: [SortDescriptor(\.number)])
    descriptor.propertiesToFetch = [\.number]
    let member = try #require(try other.fetch(descriptor).last)
    group { member.count = 7 }
    manager.undo()
    #expect(member.count == 0)
  }

  @Test("Undoing a deletion restores its cascade and the order of members")
  func cascade() throws {
    let (guild, first, second) = try savedGuild()
    group {
      guild.staff = [second, first]
      context.delete(guild)
    }
    #expect(first.isDeleted && second.isDeleted)
    manager.undo()
    #expect(guild.modelContext === context && !guild.isDeleted)
    #expect(guild.staff.map(\.number) == [1, 2])
    #expect(first.employer === guild)
    manager.redo()
    #expect(guild.isDeleted && first.isDeleted)
    try context.save()
    #expect(try stored(LoggedMember.self).isEmpty)
  }

  @Test("The order of members is undone")
  func order() throws {
    let (guild, first, second) = try savedGuild()
    group { guild.staff = [second, first] }
    try context.save()
    manager.undo()
    #expect(guild.staff.map(\.number) == [1, 2])
    try context.save()
    #expect(try stored(LoggedGuild.self).first?.staff.map(\.number) == [1, 2])
  }

  @Test("A model inserted, changed and deleted in one group leaves no change")
  func net() throws {
    let (guild, _, _) = try savedGuild()
    let member = LoggedMember(3)
    group {
      context.insert(member)
      member.employer = guild
      context.delete(member)
    }
    manager.undo()
    #expect(member.modelContext == nil)
    #expect(guild.staff.map(\.number) == [1, 2])
    manager.redo()
    #expect(member.modelContext == nil)
    #expect(guild.staff.map(\.number) == [1, 2])
  }

  // MARK: Saves

  @Test("Undoing a saved deletion restores the same objects and relationships in new rows")
  func savedDeletion() throws {
    let (guild, first, second) = try savedGuild()
    let identifiers = [guild.persistentModelID, first.persistentModelID, second.persistentModelID]
    group { context.delete(guild) }
    try context.save()
    #expect(try stored(LoggedGuild.self).isEmpty)
    manager.undo()
    #expect(guild.modelContext === context)
    #expect(guild.staff.map { ObjectIdentifier($0) } == [first, second].map { ObjectIdentifier($0) })
    try context.save()
    let saved = [guild.persistentModelID, first.persistentModelID, second.persistentModelID]
    #expect(Set(saved).isDisjoint(with: identifiers))
    let fresh = try #require(try stored(LoggedGuild.self).first)
    #expect(fresh.staff.map(\.persistentModelID) == Array(saved.dropFirst()))
    manager.redo()
    try context.save()
    #expect(try stored(LoggedMember.self).isEmpty)
  }

  @Test("Undoing a saved insertion removes its row at the next save")
  func savedInsertion() throws {
    let guild = LoggedGuild(1)
    group { context.insert(guild) }
    try context.save()
    manager.undo()
    #expect(guild.isDeleted)
    try context.save()
    #expect(try stored(LoggedGuild.self).isEmpty)
    manager.redo()
    try context.save()
    #expect(try stored(LoggedGuild.self).map(\.code) == [1])
  }

  @Test("Changes of one group before and after a save are undone together")
  func acrossOneSave() throws {
    let (guild, _, _) = try savedGuild()
    try group {
      guild.name = "a"
      try context.save()
      guild.name = "b"
    }
    manager.undo()
    #expect(guild.name.isEmpty)
    #expect(!manager.canUndo)
  }

  @Test("A failed save does not remove undo actions")
  func failedSave() throws {
    let (guild, first, _) = try savedGuild()
    context.allowsUpserts = false
    group { guild.name = "a" }
    group { context.insert(LoggedMember(1)) }
    #expect(throws: SwiftDataError.insertionConflict) { try context.save() }
    manager.undo()
    try context.save()
    #expect(first.modelContext === context)
    manager.undo()
    #expect(guild.name.isEmpty)
  }

  // MARK: Other contexts

  @Test("Undo keeps what other contexts have saved")
  func refreshed() throws {
    let (guild, first, second) = try savedGuild()
    let third = LoggedMember(3)
    group {
      context.insert(third)
      guild.staff = [third, second]
      guild.name = "mine"
    }
    try context.save()
    let other = ModelContext(container)
    let theirs = try #require(try other.fetch(FetchDescriptor<LoggedGuild>()).first)
    let fourth = LoggedMember(4)
    other.insert(fourth)
    theirs.staff.append(fourth)
    theirs.code = 11
    try other.save()
    context.processPendingChanges()
    #expect(guild.staff.map(\.number) == [3, 2, 4])
    manager.undo()
    #expect(guild.code == 11)
    #expect(guild.name.isEmpty)
    #expect(guild.staff.map(\.number) == [1, 2, 4])
    #expect(first.employer === guild)
    #expect(third.isDeleted)
    try context.save()
    #expect(try stored(LoggedGuild.self).first?.staff.map(\.number) == [1, 2, 4])
  }

  @Test("Undo ignores models that another context deleted")
  func deletedElsewhere() throws {
    let (guild, first, _) = try savedGuild()
    group {
      guild.name = "a"
      first.count = 1
    }
    try context.save()
    let other = ModelContext(container)
    try other.fetch(FetchDescriptor<LoggedMember>()).forEach(other.delete)
    try other.save()
    context.processPendingChanges()
    manager.undo()
    #expect(guild.name.isEmpty)
    #expect(first.modelContext == nil)
    #expect(guild.staff.isEmpty)
    try context.save()
    #expect(try stored(LoggedMember.self).isEmpty)
  }

  @Test("Other code can register actions with the same manager, and they outlive the context's registration")
  func sharedManager() throws {
    let (guild, _, _) = try savedGuild()
    final class Counter { var count = 0 }
    let counter = Counter()
    group {
      guild.name = "a"
      manager.registerUndo(withTarget: counter) { $0.count += 1 }
    }
    group { manager.registerUndo(withTarget: counter) { $0.count += 10 } }
    context.undoManager = nil
    #expect(manager.undoCount == 2)
    manager.undo()
    manager.undo()
    #expect(counter.count == 11)
    #expect(guild.name == "a")
    guild.name = "b"
    #expect(!manager.canUndo)
  }

  @Test("An undo manager that outlives the context does not retain its models")
  func outlived() throws {
    weak var model: LoggedGuild?
    try {
      let context = ModelContext(container)
      context.undoManager = manager
      let guild = LoggedGuild(5)
      model = guild
      group { context.insert(guild) }
      try context.save()
      group { context.delete(guild) }
    }()
    #expect(manager.undoCount == 2)
    #expect(model == nil)
    manager.undo()
    #expect(try stored(LoggedGuild.self).map(\.code) == [5])
  }

  // MARK: Removal of actions

  @Test("A rollback removes all actions of the manager, including those of other code")
  func rollback() throws {
    let (guild, _, _) = try savedGuild()
    group {
      guild.name = "a"
      manager.registerUndo(withTarget: guild) { $0.name = "b" }
    }
    context.rollback()
    #expect(!manager.canUndo && !manager.canRedo)
    #expect(guild.name.isEmpty)
    group { guild.name = "c" }
    manager.undo()
    #expect(guild.name.isEmpty)
  }

  @Test("Deletions by a predicate and upserts cannot be undone")
  func irreversible() throws {
    let (guild, first, _) = try savedGuild()
    group { guild.name = "a" }
    try context.delete(model: LoggedMember.self, where: #Predicate { $0.number == 99 })
    #expect(manager.canUndo)
    try context.delete(model: LoggedMember.self, where: #Predicate { $0.number == 2 })
    #expect(!manager.canUndo)
    group { first.count = 2 }
    group { context.insert(LoggedMember(1)) }
    try context.save()
    #expect(!manager.canUndo)
  }

  @Test("Changes made while registration is disabled are not undone")
  func disabled() throws {
    let (guild, _, _) = try savedGuild()
    manager.disableUndoRegistration()
    group { guild.name = "a" }
    manager.enableUndoRegistration()
    #expect(!manager.canUndo)
  }

  @Test("`levelsOfUndo` limits the number of groups")
  func levels() throws {
    let (guild, _, _) = try savedGuild()
    manager.levelsOfUndo = 3
    for number in 1...10 { group { guild.name = "\(number)" } }
    while manager.canUndo { manager.undo() }
    #expect(guild.name == "7")
  }

  // MARK: Events

  @Test("`processPendingChanges` ends the group of the current event")
  func event() throws {
    let (guild, _, _) = try savedGuild()
    manager.groupsByEvent = true
    guild.name = "a"
    guild.name = "b"
    context.processPendingChanges()
    guild.name = "c"
    manager.undo()
    #expect(guild.name == "b")
    manager.undo()
    #expect(guild.name.isEmpty)
  }

  @Test("The changes of one turn of the main actor are undone together")
  @MainActor
  func turn() async throws {
    let context = container.mainContext
    let manager = UndoManager()
    context.undoManager = manager
    let guild = LoggedGuild(7)
    context.insert(guild)
    guild.name = "a"
    await nextTurn()
    #expect(manager.groupingLevel == 0)
    guild.name = "b"
    let member = LoggedMember(7)
    member.employer = guild
    #expect(guild.staff.count == 1)
    await nextTurn()
    manager.undo()
    #expect(guild.name == "a")
    #expect(guild.staff.isEmpty)
    manager.undo()
    // The main context has saved it meanwhile.
    #expect(guild.isDeleted)
  }

  @MainActor
  private func nextTurn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  @Test("An observer of an undo notification may change and fetch models")
  func observers() throws {
    let (guild, first, _) = try savedGuild()
    // All calls happen on this thread.
    nonisolated(unsafe) let (context, other) = (context, LoggedGuild(2))
    let token = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerDidUndoChange, object: manager, queue: nil
    ) { _ in
      context.insert(other)
      _ = try? context.fetch(FetchDescriptor<LoggedMember>())
    }
    defer { NotificationCenter.default.removeObserver(token) }
    group { first.count = 4 }
    manager.undo()
    #expect(first.count == 0)
    #expect(other.modelContext === context)
    #expect(!manager.canRedo)
    #expect(manager.canUndo)
    manager.undo()
    #expect(guild.staff.count == 2)
  }
}
