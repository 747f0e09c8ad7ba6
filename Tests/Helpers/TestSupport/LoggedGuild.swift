import Foundation

@testable import SwiftData

// A graph whose models several contexts have at once: inheritance, every delete rule that affects a history, relationships to
// the same entity, and unique values that upserts take over.

@Model
class LoggedGuild {
  @Attribute(.unique) var code: Int
  var name = ""
  @Relationship(deleteRule: .nullify, inverse: \LoggedMember.guild) var members: [LoggedMember] = []
  @Relationship(deleteRule: .noAction, inverse: \LoggedMember.keeper) var kept: [LoggedMember] = []
  @Relationship(deleteRule: .cascade, inverse: \LoggedMember.employer) var staff: [LoggedMember] = []
  @Relationship(inverse: \LoggedMember.leads) var leader: LoggedMember?
  @Relationship(inverse: nil) var guests: [LoggedMember] = []

  init(_ code: Int) {
    self.code = code
  }
}

@Model
final class LoggedLodge: LoggedGuild {
  var seats = 0
  @Relationship(deleteRule: .nullify, inverse: \LoggedMember.lodge) var residents: [LoggedMember] = []

  override init(_ code: Int) {
    super.init(code)
  }
}

@Model
final class LoggedMember {
  @Attribute(.unique) var number: Int
  var count = 0
  var guild: LoggedGuild?
  @Relationship(deleteRule: .noAction) var keeper: LoggedGuild?
  var employer: LoggedGuild?
  var lodge: LoggedLodge?
  var leads: LoggedGuild?
  @Relationship(deleteRule: .nullify, inverse: \LoggedMember.pupils) var teacher: LoggedMember?
  @Relationship(deleteRule: .nullify) var pupils: [LoggedMember] = []
  @Relationship(inverse: nil) var idol: LoggedMember?

  init(_ number: Int) {
    self.number = number
  }
}

extension LoggedGuild: LoggedRow {
  static let readers: [String: @Sendable (LoggedGuild) -> LoggedValue] = [
    "code": { .text("\($0.code)") }, "name": { .text($0.name) }, "members": { .links(to: $0.members) },
    "kept": { .links(to: $0.kept) }, "staff": { .links(to: $0.staff) }, "leader": { .link($0.leader) },
    "guests": { .links(to: $0.guests) },
    "seats": { .text(($0 as? LoggedLodge).map { "\($0.seats)" } ?? "-") },
    "residents": { .links(to: ($0 as? LoggedLodge)?.residents ?? []) },
  ]

  static let entityNames: Set<String> = ["LoggedGuild", "LoggedLodge"]

  static func among(_ identifiers: [PersistentIdentifier]) -> Predicate<LoggedGuild> {
    #Predicate { identifiers.contains($0.persistentModelID) }
  }
}

extension LoggedMember: LoggedRow {
  static let readers: [String: @Sendable (LoggedMember) -> LoggedValue] = [
    "number": { .text("\($0.number)") }, "count": { .text("\($0.count)") }, "guild": { .link($0.guild) },
    "keeper": { .link($0.keeper) }, "employer": { .link($0.employer) }, "lodge": { .link($0.lodge) },
    "leads": { .link($0.leads) }, "teacher": { .link($0.teacher) }, "pupils": { .links(to: $0.pupils) },
    "idol": { .link($0.idol) },
  ]

  static func among(_ identifiers: [PersistentIdentifier]) -> Predicate<LoggedMember> {
    #Predicate { identifiers.contains($0.persistentModelID) }
  }
}
