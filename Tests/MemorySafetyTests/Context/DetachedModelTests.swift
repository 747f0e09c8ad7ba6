import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Detached models that reference each other retain neither the context nor the store.
@Suite("Lifetime of detached models")
struct DetachedModelTests {
  private final class Weak {
    weak var object: AnyObject?

    init(_ object: AnyObject) {
      self.object = object
    }
  }

  /// - Parameter body: Returns the models that must be released with the context.
  private func expectNothingLeft(_ body: (ModelContext) throws -> [any PersistentModel]) throws {
    let left = try { () -> [Weak] in
      let container = try ModelContainer(
        for: LoggedGuild.self, LoggedLodge.self, LoggedMember.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      let context = ModelContext(container)
      // A model outside of the returned ones; it belongs to the context, and a reference to it would retain the context.
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

  @Test("A rollback of insertions lets the models, the context and the store be released")
  func rolledBackInsertions() throws {
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

  @Test("Deleting an unsaved model that references itself lets it be released")
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

  @Test(
    "Deleting both ends of relationships that were never read lets the models be released", arguments: [true, false])
  func unreadOtherSides(isOneWay: Bool) throws {
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

  @Test("Deleting the target of a retained model lets both be released")
  func targetOfRetainedModel() throws {
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
