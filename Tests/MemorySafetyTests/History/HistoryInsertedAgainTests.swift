import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// What a save records, and leaves, when models are inserted again that others have deleted.
@Suite("The history of models that are inserted again")
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

  @Test("A reference that is led to a model which is inserted again is recorded")
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

  @Test("An owner that is inserted again has the members that were given to it before it was known to be gone")
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
    // What it leads to comes along.
    context.insert(other)
    #expect(guild.modelContext === context)
    #expect(guild.staff.map(\.number) == [1])
    #expect(guild.members.map(\.number) == [2])
    try context.save()
    #expect(try only(LoggedGuild.self, in: ModelContext(container)).staff.map(\.number) == [1])
  }

  @Test("A model that leads to itself leaves others' order alone when its deletion is taken back")
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
