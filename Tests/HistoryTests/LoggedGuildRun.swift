import Foundation

@testable import SwiftData
@testable import TestSupport

/// Changes guilds at random in several live contexts: each has models from before the others' saves, which it deletes,
/// reinserts, and gives others' unique values.
final class LoggedGuildRun {
  /// A context and its models in memory.
  private struct Desk {
    let context: ModelContext
    var guilds: [LoggedGuild] = []
    var members: [LoggedMember] = []
  }

  /// The actions so far.
  private(set) var log: [String] = []
  private(set) var container: ModelContainer

  private let url: URL
  private var desk: Desk
  private var otherDesks: [Desk] = []
  private var follower = LoggedFollower([LoggedGuild.self, LoggedMember.self])
  private var dice: SeededGenerator
  private var number = 0

  init(seed: UInt64, at url: URL) throws {
    self.url = url
    dice = SeededGenerator(seed: seed)
    container = try Self.open(url)
    desk = Desk(context: ModelContext(container))
  }

  private static func open(_ url: URL) throws -> ModelContainer {
    try ModelContainer(
      for: LoggedGuild.self, LoggedLodge.self, LoggedMember.self, configurations: ModelConfiguration(url: url))
  }

  func follow() throws {
    try follower.follow(container)
    try follower.check(container)
  }

  // MARK: Picking

  private func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &dice) == 0 }

  private func pick<Model: PersistentModel>(_ models: [Model]) -> Model? {
    guard let model = models.randomElement(using: &dice), model.modelContext != nil, !model.isDeleted else {
      return nil
    }
    return model
  }

  private func pickGuild() -> LoggedGuild? { pick(desk.guilds) }
  private func pickMember() -> LoggedMember? { pick(desk.members) }
  private func pickMembers() -> [LoggedMember] { [pickMember(), pickMember()].compactMap { $0 } }

  private func makeGuild(_ code: Int) -> LoggedGuild { chance(2) ? LoggedLodge(code) : LoggedGuild(code) }

  private func note(_ event: String) {
    log.append("\(otherDesks.count): \(event)")
  }

  private static func name(_ guild: LoggedGuild?) -> String { guild.map { "\($0.code)" } ?? "-" }
  private static func name(_ member: LoggedMember?) -> String { member.map { "\($0.number)" } ?? "-" }

  // MARK: Contexts

  func save() throws {
    note("save")
    do {
      try desk.context.save()
    } catch let error as SwiftDataError {
      // Another context has deleted a changed model.
      note("refused: \(error.details?.message ?? "\(error)")")
      desk.context.rollback()
    }
    try follow()
    if chance(5) { return }
    if chance(3) {
      note("left as it is")
      otherDesks.append(desk)
      if otherDesks.count > 2 { otherDesks.removeFirst() }
    }
    if chance(3), !otherDesks.isEmpty {
      let index = Int.random(in: 0..<otherDesks.count, using: &dice)
      desk = otherDesks.remove(at: index)
      note("back to context \(index)")
    } else {
      try startAgain()
    }
  }

  private func startAgain() throws {
    note("another context")
    if chance(8) {
      container = try Self.open(url)
      otherDesks = []
    }
    desk = Desk(context: ModelContext(container))
    if chance(2) { desk.guilds = try desk.context.fetch(FetchDescriptor()) }
    if !chance(4) { desk.members = try desk.context.fetch(FetchDescriptor()) }
  }

  /// Continues with another context, and leaves unsaved changes in this one.
  private func swap() {
    let index = Int.random(in: 0..<otherDesks.count, using: &dice)
    note("swap with context \(index)")
    Swift.swap(&desk, &otherDesks[index])
  }

  // MARK: Operations

  func step() throws {
    number += 1
    switch Int.random(in: 0..<36, using: &dice) {
    case 0...4: insert()
    case 5...13: setOne()
    case 14...17: setMany()
    case 18...21: delete()
    case 22, 23: try deleteRows()
    case 24, 25: edit()
    case 26: insertGuildAgain()
    case 27: insertMemberAgain()
    case 28...30: read()
    case 31, 32: insertPossiblyDeleted()
    default: if !otherDesks.isEmpty, !chance(3) { swap() } else { try save() }
    }
  }

  private func insert() {
    if desk.guilds.count < 6, chance(3) {
      let guild = makeGuild(number)
      desk.context.insert(guild)
      desk.guilds.append(guild)
      if chance(2), let member = pickMember() { guild.members = [member] }
      note("guild \(number) of \(guild.members.map(\.number))")
    } else if desk.members.count < 12 {
      let member = LoggedMember(number)
      desk.context.insert(member)
      desk.members.append(member)
      member.guild = pickGuild()
      member.keeper = pickGuild()
      if chance(2) { member.employer = pickGuild() }
      member.lodge = pickGuild() as? LoggedLodge
      member.teacher = pickMember()
      member.idol = pickMember()
      note("member \(number) of \(Self.name(member.guild)), \(Self.name(member.keeper)), \(Self.name(member.employer))")
    }
  }

  private func setOne() {
    guard let member = pickMember() else { return }
    let guild = chance(3) ? nil : pickGuild()
    let other = chance(3) ? nil : pickMember()
    let property = Int.random(in: 0..<9, using: &dice)
    note("\(member.number), to-one \(property) = \(property < 7 ? Self.name(guild) : Self.name(other))")
    switch property {
    case 0, 1, 2: member.guild = guild
    case 3: member.keeper = guild
    case 4: member.employer = guild
    case 5: member.lodge = guild as? LoggedLodge
    case 6: member.leads = guild
    case 7: member.teacher = other
    default: member.idol = other
    }
  }

  private func setMany() {
    let members = pickMembers()
    let property = Int.random(in: 0..<5, using: &dice)
    if property == 0 {
      guard let member = pickMember() else { return }
      note("\(member.number).pupils = \(members.map(\.number))")
      member.pupils = members
      return
    }
    guard let guild = pickGuild() else { return }
    note("guild \(guild.code), to-many \(property) = \(members.map(\.number))")
    switch property {
    case 1: guild.members = members
    case 2: guild.kept = members
    case 3: guild.guests = members
    default: guild.leader = members.first
    }
  }

  private func delete() {
    if chance(4) {
      guard let guild = pickGuild() else { return }
      note("delete guild \(guild.code)")
      desk.context.delete(guild)
    } else {
      guard let member = pickMember() else { return }
      note("delete member \(member.number)")
      desk.context.delete(member)
    }
  }

  private func deleteRows() throws {
    if chance(4) {
      note("delete guilds without a name")
      try desk.context.delete(model: LoggedGuild.self, where: #Predicate { $0.name == "" })
    } else {
      let limit = Int.random(in: 0..<3, using: &dice)
      note("delete members with count \(limit)")
      try desk.context.delete(model: LoggedMember.self, where: #Predicate { $0.count == limit })
    }
  }

  private func edit() {
    if chance(2) {
      guard let guild = pickGuild() else { return }
      note("edit guild \(guild.code)")
      guild.name = "n\(number)"
    } else {
      guard let member = pickMember() else { return }
      note("edit member \(member.number)")
      member.count = Int.random(in: 0..<9, using: &dice)
    }
  }

  /// Inserts a guild with the code of another one.
  private func insertGuildAgain() {
    guard let known = pickGuild() else { return }
    let guild = makeGuild(known.code)
    desk.context.insert(guild)
    if chance(2), let member = pickMember() { guild.members = [member] }
    if chance(3), let member = pickMember() { guild.kept = [member] }
    if chance(3) { guild.leader = pickMember() }
    note("guild \(guild.code) again: \(guild.members.map(\.number)), \(guild.kept.map(\.number))")
  }

  private func insertMemberAgain() {
    guard let known = pickMember() else { return }
    let member = LoggedMember(known.number)
    desk.context.insert(member)
    member.guild = pickGuild()
    if chance(2) { member.keeper = pickGuild() }
    if chance(2) { member.teacher = pickMember() }
    if chance(2) { member.leads = pickGuild() }
    if chance(3), let pupil = pickMember() { member.pupils = [pupil] }
    note("member \(member.number) again of \(Self.name(member.guild)), \(Self.name(member.keeper))")
  }

  /// Inserts a model that may be deleted, here or by another context.
  private func insertPossiblyDeleted() {
    if chance(2) {
      guard let member = desk.members.randomElement(using: &dice) else { return }
      note("insert member \(member.number)")
      desk.context.insert(member)
    } else {
      guard let guild = desk.guilds.randomElement(using: &dice) else { return }
      note("insert guild \(guild.code)")
      desk.context.insert(guild)
    }
  }

  /// Reads relationships, also of deleted models.
  private func read() {
    if chance(3) {
      guard let guild = desk.guilds.randomElement(using: &dice) else { return }
      note("guild \(guild.code) has \(guild.members.count), \(guild.kept.count)")
    } else {
      guard let member = desk.members.randomElement(using: &dice) else { return }
      note("member \(member.number) is of \(Self.name(member.guild)), pupil of \(Self.name(member.teacher))")
    }
  }
}
