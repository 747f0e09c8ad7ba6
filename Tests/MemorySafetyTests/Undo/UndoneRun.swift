import Foundation

@testable import SwiftData
@testable import TestSupport

/// Changes guilds at random, undoes and redoes, saves and rolls back, and records the state after each group.
final class UndoneRun {
  /// The values of a model, by the names of its properties.
  typealias State = [ObjectIdentifier: [String: UndoneValue]]

  enum UndoneValue: Equatable {
    case text(String)
    case links([ObjectIdentifier])
  }

  private(set) var log: [String] = []
  let container: ModelContainer
  private let context: ModelContext
  private let manager = UndoManager()
  private var dice: SeededGenerator
  private var number = 0
  /// All guilds that ever existed, including deleted ones.
  private var guilds: [LoggedGuild] = []
  private var members: [LoggedMember] = []
  /// The states before and after the groups that can be undone and redone: up to the present one, and after it.
  private var past: [State] = []
  private var future: [State] = []

  init(seed: UInt64, at url: URL) throws {
    dice = SeededGenerator(seed: seed)
    container = try ModelContainer(
      for: LoggedGuild.self, LoggedLodge.self, LoggedMember.self, configurations: ModelConfiguration(url: url))
    context = ModelContext(container)
    manager.groupsByEvent = false
    context.undoManager = manager
    past = [state()]
  }

  // MARK: States

  private func isThere(_ model: any PersistentModel) -> Bool { model.modelContext != nil && !model.isDeleted }

  private func state() -> State {
    var state: State = [:]
    // A deletion removes some relationships only at the save.
    func link(_ model: (any PersistentModel)?) -> UndoneValue { links(model.map { [$0] } ?? []) }
    func links(_ models: [any PersistentModel]) -> UndoneValue {
      .links(models.filter(isThere).map { ObjectIdentifier($0) })
    }
    for guild in guilds where isThere(guild) {
      state[ObjectIdentifier(guild)] = [
        "code": .text("\(guild.code)"), "name": .text(guild.name), "members": links(guild.members),
        "kept": links(guild.kept), "staff": links(guild.staff), "leader": link(guild.leader),
        "guests": links(guild.guests), "residents": links((guild as? LoggedLodge)?.residents ?? []),
      ]
    }
    for member in members where isThere(member) {
      state[ObjectIdentifier(member)] = [
        "number": .text("\(member.number)"), "count": .text("\(member.count)"), "guild": link(member.guild),
        "keeper": link(member.keeper), "employer": link(member.employer), "lodge": link(member.lodge),
        "leads": link(member.leads), "teacher": link(member.teacher), "pupils": links(member.pupils),
        "idol": link(member.idol),
      ]
    }
    return state
  }

  private func describe(_ state: State, _ other: State) -> String {
    var names: [ObjectIdentifier: String] = [:]
    for guild in guilds { names[ObjectIdentifier(guild)] = "g\(guild.code)" }
    for member in members { names[ObjectIdentifier(member)] = "m\(member.number)" }
    func text(_ value: UndoneValue?) -> String {
      switch value {
      case .text(let text): text
      case .links(let links): "\(links.map { names[$0] ?? "?" })"
      case nil: "nothing"
      }
    }
    var lines: [String] = []
    for key in Set(state.keys).union(other.keys) {
      guard let mine = state[key], let theirs = other[key] else {
        lines.append("\(names[key] ?? "?") is \(state[key] == nil ? "missing" : "left over")")
        continue
      }
      for (name, value) in theirs where mine[name] != value {
        lines.append("\(names[key] ?? "?").\(name) is \(text(mine[name])), not \(text(value))")
      }
    }
    return lines.sorted().joined(separator: "; ")
  }

  private func expect(_ state: State, _ what: String) throws {
    let now = self.state()
    if now != state { throw LoggedMismatch(message: "\(what): \(describe(now, state))") }
  }

  // MARK: Picking

  private func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &dice) == 0 }

  private func pick<Model: PersistentModel>(_ models: [Model]) -> Model? {
    let there = models.filter(isThere)
    return there.randomElement(using: &dice)
  }

  private func pickGuild() -> LoggedGuild? { pick(guilds) }
  private func pickMember() -> LoggedMember? { pick(members) }

  private func note(_ event: String) { log.append(event) }
  private func name(_ guild: LoggedGuild?) -> String { guild.map { "g\($0.code)" } ?? "-" }
  private func name(_ member: LoggedMember?) -> String { member.map { "m\($0.number)" } ?? "-" }

  // MARK: Steps

  func step() throws {
    switch Int.random(in: 0..<20, using: &dice) {
    case 0...3: try undo()
    case 4...5: try redo()
    case 6...7: try save()
    case 8: if chance(10) { try rollback() }
    default: try group()
    }
  }

  private func group() throws {
    let before = past.last
    note("group")
    manager.beginUndoGrouping()
    for _ in 0..<Int.random(in: 1...3, using: &dice) { change() }
    manager.endUndoGrouping()
    let after = state()
    if manager.undoCount == past.count - 1 {
      // The group changed nothing.
      if let before, before != after {
        throw LoggedMismatch(message: "a change is not known: \(describe(after, before))")
      }
      return
    }
    past.append(after)
    future = []
  }

  private func undo() throws {
    guard manager.canUndo else { return }
    note("undo")
    manager.undo()
    if let state = past.popLast() { future.append(state) }
    try expect(past.last ?? [:], "after undo")
  }

  private func redo() throws {
    guard manager.canRedo else { return }
    note("redo")
    manager.redo()
    if let state = future.popLast() { past.append(state) }
    try expect(past.last ?? [:], "after redo")
  }

  func save() throws {
    note("save")
    do {
      try context.save()
    } catch let error as SwiftDataError {
      // A new reference has a deleted target.
      note("  refused: \(error.details?.message ?? "")")
      return try expect(past.last ?? [:], "after a save that failed")
    }
    try expect(past.last ?? [:], "after a save")
    try expectStored()
  }

  /// Compares another context with this one.
  private func expectStored() throws {
    let other = ModelContext(container)
    let storedMembers = try other.fetch(FetchDescriptor<LoggedMember>())
    let storedGuilds = try other.fetch(FetchDescriptor<LoggedGuild>())
    func describe(_ guilds: [LoggedGuild], _ members: [LoggedMember]) -> Set<String> {
      Set(
        guilds.map { guild in
          """
          g\(guild.code) \(guild.name): \(guild.members.map(\.number)), \(guild.staff.map(\.number)), \
          \(name(guild.leader))
          """
        }
          + members.map { member in
            """
            m\(member.number) \(member.count): \(name(member.guild)), \(name(member.employer)), \
            \(name(member.teacher)), \(member.pupils.map(\.number))
            """
          })
    }
    let stored = describe(storedGuilds, storedMembers)
    let mine = describe(guilds.filter(isThere), members.filter(isThere))
    if stored == mine { return }
    throw LoggedMismatch(
      message: "the store has \(stored.subtracting(mine).sorted()), and not \(mine.subtracting(stored).sorted())")
  }

  private func rollback() throws {
    note("rollback")
    context.rollback()
    if manager.canUndo || manager.canRedo { throw LoggedMismatch(message: "a rollback has left something to undo") }
    past = [state()]
    future = []
  }

  private func change() {
    number += 1
    switch Int.random(in: 0..<16, using: &dice) {
    case 0: insertGuild()
    case 1, 2: insertMember()
    case 3, 4: delete()
    case 5, 6: edit()
    case 7...10: setOne()
    case 11...14: setMany()
    default:
      guard let member = pickMember() else { return }
      let pupils = [pickMember(), pickMember()].compactMap { $0 }
      note("  \(name(member)).pupils = \(pupils.map(\.number))")
      member.pupils = pupils
    }
  }

  private func insertGuild() {
    if guilds.count(where: isThere) > 4 { return }
    let guild = chance(2) ? LoggedLodge(number) : LoggedGuild(number)
    context.insert(guild)
    guilds.append(guild)
    if let member = pickMember() { guild.members = [member] }
    note("  guild \(number) of \(guild.members.map(\.number))")
  }

  private func insertMember() {
    if members.count(where: isThere) > 8 { return }
    let member = LoggedMember(number)
    member.guild = pickGuild()
    context.insert(member)
    members.append(member)
    member.employer = pickGuild()
    member.keeper = pickGuild()
    member.teacher = pickMember()
    note("  member \(number) of \(name(member.guild)), \(name(member.employer)), \(name(member.keeper))")
  }

  private func delete() {
    if chance(2) {
      guard let member = pickMember() else { return }
      note("  delete \(name(member))")
      context.delete(member)
    } else {
      guard let guild = pickGuild() else { return }
      note("  delete \(name(guild))")
      context.delete(guild)
    }
  }

  private func edit() {
    if chance(2) {
      guard let member = pickMember() else { return }
      member.count = number
      note("  edit \(name(member))")
    } else {
      guard let guild = pickGuild() else { return }
      guild.name = "n\(number)"
      note("  edit \(name(guild))")
    }
  }

  private func setOne() {
    guard let member = pickMember() else { return }
    let guild = chance(3) ? nil : pickGuild()
    let other = chance(3) ? nil : pickMember()
    let property = Int.random(in: 0..<7, using: &dice)
    note("  \(name(member)), to-one \(property) = \(property < 5 ? name(guild) : name(other))")
    switch property {
    case 0: member.guild = guild
    case 1: member.keeper = guild
    case 2: member.employer = guild
    case 3: member.lodge = guild as? LoggedLodge
    case 4: member.leads = guild
    case 5: member.teacher = other
    default: member.idol = other
    }
  }

  private func setMany() {
    guard let guild = pickGuild() else { return }
    let property = Int.random(in: 0..<6, using: &dice)
    var members = [pickMember(), pickMember(), pickMember()].compactMap { $0 }
    if chance(2) {
      let there = property == 0 ? guild.members : property == 1 ? guild.staff : guild.guests.filter(isThere)
      members = there.shuffled(using: &dice)
    }
    note("  \(name(guild)), to-many \(property) = \(members.map(\.number))")
    switch property {
    case 0: guild.members = members
    case 1: guild.staff = members
    case 2: guild.guests = members
    case 3: guild.kept = members
    case 4: guild.leader = members.first
    default:
      guard let member = members.first, !guild.members.contains(where: { $0 === member }) else { return }
      guild.members.append(member)
    }
  }
}
