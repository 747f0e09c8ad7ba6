import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Models that have left a context and lead to each other keep nothing else: neither the context nor the store.
@Suite("Models that have left their context")
struct DepartedModelsTests {
  private final class Weak {
    weak var object: AnyObject?

    init(_ object: AnyObject) {
      self.object = object
    }
  }

  /// - Parameter body: Returns the models that are to go away with the context.
  private func expectNothingLeft(_ body: (ModelContext) throws -> [any PersistentModel]) throws {
    let left = try { () -> [Weak] in
      let container = try ModelContainer(
        for: LoggedGuild.self, LoggedLodge.self, LoggedMember.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      let context = ModelContext(container)
      // What they lead to besides belongs to the context, and would keep it.
      let anchor = LoggedGuild(100)
      context.insert(anchor)
      try context.save()
      let models = try body(context)
      return ([container, container.stores[0] as AnyObject, anchor] + models).map { Weak($0) }
    }()
    #expect(left.count { $0.object != nil } == 0)
  }

  private func anchor(_ context: ModelContext) throws -> LoggedGuild? {
    try context.fetch(FetchDescriptor<LoggedGuild>(predicate: #Predicate { $0.code == 100 })).first
  }

  @Test("After a rollback of insertions")
  func rolledBack() throws {
    try expectNothingLeft { context in
      let (member, guild) = (LoggedMember(1), LoggedGuild(2))
      context.insert(member)
      member.employer = guild
      member.guild = try anchor(context)
      #expect(guild.staff.count == 1)
      context.rollback()
      return [member, guild]
    }
  }

  @Test("After the deletion of what was never saved and led to itself")
  func leadingToItself() throws {
    try expectNothingLeft { context in
      let member = LoggedMember(1)
      context.insert(member)
      member.teacher = member
      member.idol = member
      member.guild = try anchor(context)
      context.delete(member)
      return [member]
    }
  }

  @Test("After deletions that both sides were told nothing of", arguments: [true, false])
  func untold(isOneWay: Bool) throws {
    try expectNothingLeft { context in
      let (member, other, guild) = (LoggedMember(1), LoggedMember(2), LoggedGuild(3))
      context.insert(member)
      context.insert(guild)
      if isOneWay { member.idol = other } else { member.keeper = guild }
      if isOneWay { other.idol = member }
      member.guild = try anchor(context)
      try context.save()
      if !isOneWay { #expect(guild.kept.count == 1) }
      context.delete(member)
      if isOneWay { context.delete(other) } else { context.delete(guild) }
      try context.save()
      return [member, other, guild]
    }
  }

  @Test("After the deletion of what something stays to lead to")
  func ledToByWhatStays() throws {
    try expectNothingLeft { context in
      let (member, guild) = (LoggedMember(1), LoggedGuild(3))
      context.insert(member)
      member.keeper = guild
      try context.save()
      #expect(guild.kept.count == 1)
      context.delete(guild)
      try context.save()
      #expect(member.keeper == nil)
      return [member, guild]
    }
  }
}
