import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// What a save records and leaves when models that another context deleted are reinserted.
@Suite("History of reinserted models")
struct HistoryInsertedAgainTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(
      for: LoggedGuild.self, LoggedLodge.self, LoggedMember.self,
      configurations: ModelConfiguration(url: folder.file()))
  }

  private func only<Model: PersistentModel>(_ type: Model.Type, in context: ModelContext) throws -> Model {
    let models = try context.fetch(FetchDescriptor<Model>())
    try #require(models.count == 1)
    return models[0]
  }

  private func deleteElsewhere<Model: PersistentModel>(_ type: Model.Type) throws {
    let context = ModelContext(container)
    context.delete(try only(type, in: context))
    try context.save()
  }

  @Test("Setting a reference to a reinserted model is recorded as an update")
  func danglingReference() throws {
    let context = ModelContext(container)
    let (guild, member) = (LoggedGuild(1), LoggedMember(1))
    context.insert(member)
    member.keeper = guild
    try context.save()
    let identifier = member.persistentModelID
    try deleteElsewhere(LoggedGuild.self)
    context.processPendingChanges()
    #expect(guild.modelContext == nil)
    context.insert(guild)
    try context.save()
    let last = try #require(try container.logged().last)
    #expect(last.logged.contains(.update(identifier, "keeper")), "\(last.logged)")
    #expect(try only(LoggedMember.self, in: ModelContext(container)).keeper?.code == 1)
  }

  @Test("A reinserted owner has the members it was given before its deletion was known")
  func ownerOfNewMembers() throws {
    let context = ModelContext(container)
    context.insert(LoggedGuild(1))
    try context.save()
    let guild = try only(LoggedGuild.self, in: context)
    let (member, other) = (LoggedMember(1), LoggedMember(2))
    context.insert(member)
    member.employer = guild
    context.insert(other)
    other.guild = guild
    try deleteElsewhere(LoggedGuild.self)
    context.delete(other)
    context.processPendingChanges()
    // The insertion reaches the guild through its relationship.
    context.insert(other)
    #expect(guild.modelContext === context)
    #expect(guild.staff.map(\.number) == [1])
    #expect(guild.members.map(\.number) == [2])
    try context.save()
    #expect(try only(LoggedGuild.self, in: ModelContext(container)).staff.map(\.number) == [1])
  }

  @Test("Reinserting a self-referencing model does not overwrite another context's order of members")
  func leadingToItself() throws {
    let context = ModelContext(container)
    let members = (0..<3).map { LoggedMember($0) }
    for member in members { context.insert(member) }
    members[0].teacher = members[0]
    try context.save()
    let elsewhere = ModelContext(container)
    let theirs = try elsewhere.fetch(FetchDescriptor<LoggedMember>(sortBy: [SortDescriptor(\.number)]))
    theirs[2].pupils = [theirs[0], theirs[1]]
    try elsewhere.save()
    context.delete(members[0])
    context.insert(members[0])
    try context.save()
    let stored = try ModelContext(container).fetch(FetchDescriptor<LoggedMember>(sortBy: [SortDescriptor(\.number)]))
    #expect(stored[2].pupils.map(\.number) == [0, 1])
    #expect(stored[0].pupils.isEmpty)
    #expect(members[0].teacher === members[2])
    #expect(members[0].pupils.isEmpty)
  }
}
