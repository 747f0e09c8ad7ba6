import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Random changes of one context, including reinsertions of deleted or rolled-back models, beside a second context that only
/// merges, and a third that saves in between. What the first context has before a save must equal what all contexts have
/// afterwards.
@Suite("Random changes with reinsertions")
struct RandomInsertionTests {
  private struct Mismatch: Error { let message: String }

  private final class Run {
    let container: ModelContainer
    let context: ModelContext
    let watcher: ModelContext
    let third: ModelContext
    /// Whether one-way to-ones are set; only the store knows when their target is deleted.
    let hasFriends: Bool
    var dice: SeededGenerator
    var number = 0
    var log: [String] = []
    var held: [any PersistentModel] = []
    var watched: [any PersistentModel] = []

    init(seed: UInt64, hasFriends: Bool) throws {
      container = try makeContainer(Master.self, Beast.self, Medal.self)
      context = ModelContext(container)
      watcher = ModelContext(container)
      third = ModelContext(container)
      dice = SeededGenerator(seed: seed)
      self.hasFriends = hasFriends
    }

    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &dice) == 0 }

    func pick<Model: PersistentModel>(_ type: Model.Type, _ context: ModelContext) throws -> Model? {
      // Sorted, so that a seed repeats the order.
      try context.fetch(FetchDescriptor<Model>()).randomElement(using: &dice)
    }

    func picture(_ context: ModelContext) throws -> [String] {
      func there(_ model: Beast?) -> Beast? {
        model.flatMap { $0.isDeleted || $0.modelContext == nil ? nil : $0 }
      }
      let masters = try context.all(Master.self, by: \.name).map { master in
        "\(master.name) \(master.count) beasts \(master.beasts.map(\.name)) medals \(master.medals.map(\.word)) "
          + "partner \(master.partner?.name ?? "-") of \(master.partnerOf?.name ?? "-")"
      }
      let beasts = try context.all(Beast.self, by: \.name).map { beast in
        "\(beast.name) \(beast.age) master \(beast.master?.name ?? "-") friend \(there(beast.friend)?.name ?? "-") "
          + "pack \(beast.pack.map(\.name)) of \(beast.packOf.map(\.name))"
      }
      let medals = try context.all(Medal.self, by: \.word).map { "\($0.word) masters \($0.masters.map(\.name))" }
      return masters + beasts + medals
    }

    func compare(_ first: [String], _ second: [String], _ what: String) throws {
      if first == second { return }
      let (only, other) = (first.filter { !second.contains($0) }, second.filter { !first.contains($0) })
      throw Mismatch(
        message: "\(what):\n  \(only.joined(separator: "\n  "))\nand not\n  \(other.joined(separator: "\n  "))")
    }

    func name(_ model: any PersistentModel) -> String {
      switch model {
      case let model as Master: model.name
      case let model as Beast: model.name
      case let model as Medal: model.word
      default: "?"
      }
    }

    func insertAny(_ model: any PersistentModel) {
      switch model {
      case let model as Master: context.insert(model)
      case let model as Beast: context.insert(model)
      case let model as Medal: context.insert(model)
      default: break
      }
    }

    func hold(_ model: any PersistentModel) {
      if !held.contains(where: { $0 === model }) { held.append(model) }
    }

    func save() throws {
      let before = try picture(context)
      log.append("save")
      try context.save()
      try compare(before, try picture(ModelContext(container)), "before the save there was, and is not stored")
      try compare(before, try picture(context), "before the save there was, and after it")
      watcher.processPendingChanges()
      watched = watched.filter { $0.modelContext != nil }
      // Reads the models in memory before a fetch reads their rows again.
      let walked = watched.map { model -> String in
        switch model {
        case let master as Master:
          "\(master.name) \(master.count) beasts \(master.beasts.map(\.name)) medals \(master.medals.map(\.word)) "
            + "partner \(master.partner?.name ?? "-") of \(master.partnerOf?.name ?? "-")"
        case let medal as Medal: "\(medal.word) masters \(medal.masters.map(\.name))"
        case let beast as Beast:
          "\(beast.name) \(beast.age) master \(beast.master?.name ?? "-") friend \(beast.friend?.name ?? "-") "
            + "pack \(beast.pack.map(\.name)) of \(beast.packOf.map(\.name))"
        default: ""
        }
      }
      try compare(walked.filter { !before.contains($0) }, [], "the watcher holds, and is not stored")
      try compare(before, try picture(watcher), "there is, and not for the watcher")
      if chance(3) {
        watched = try watcher.fetch(FetchDescriptor<Master>())
        if chance(2) { watched += try watcher.fetch(FetchDescriptor<Beast>()) as [any PersistentModel] }
        if chance(2) { watched += try watcher.fetch(FetchDescriptor<Medal>()) as [any PersistentModel] }
      }
    }

    func step() throws {
      number += 1
      switch Int.random(in: 0..<24, using: &dice) {
      case 0:
        let new = Master("M\(number)")
        log.append("new \(new.name)")
        context.insert(new)
        hold(new)
      case 1, 2:
        let new = Beast("b\(number)")
        let master = try chance(3) ? nil : pick(Master.self, context)
        log.append("new \(new.name) of \(master?.name ?? "-")")
        if chance(2) { context.insert(new) }
        if let master { if chance(2) { new.master = master } else { master.beasts.insert(new, at: 0) } }
        context.insert(new)
        hold(new)
      case 3:
        let new = Medal("x\(number)")
        log.append("new \(new.word)")
        context.insert(new)
        hold(new)
      case 4, 5:
        guard let beast = try pick(Beast.self, context) else { return }
        let master = try chance(3) ? nil : pick(Master.self, context)
        log.append("\(beast.name).master = \(master?.name ?? "-")")
        beast.master = master
        hold(beast)
      case 6, 7:
        guard let master = try pick(Master.self, context) else { return }
        var beasts = chance(2) ? master.beasts : master.beasts.shuffled(using: &dice)
        if chance(2), !beasts.isEmpty { beasts.remove(at: Int.random(in: 0..<beasts.count, using: &dice)) }
        if chance(2), let beast = try pick(Beast.self, context) {
          beasts.insert(beast, at: Int.random(in: 0...beasts.count, using: &dice))
        }
        log.append("\(master.name).beasts = \(beasts.map(\.name))")
        master.beasts = beasts
      case 8, 9:
        guard let master = try pick(Master.self, context) else { return }
        var medals = chance(2) ? master.medals : master.medals.shuffled(using: &dice)
        if chance(2), !medals.isEmpty { medals.removeFirst() }
        if let medal = try pick(Medal.self, context) { medals.append(medal) }
        log.append("\(master.name).medals = \(medals.map(\.word))")
        master.medals = medals
      case 10:
        guard let medal = try pick(Medal.self, context) else { return }
        var masters = chance(2) ? medal.masters : medal.masters.reversed()
        if let master = try pick(Master.self, context), chance(2) { masters.append(master) } else { masters = [] }
        log.append("\(medal.word).masters = \(masters.map(\.name))")
        medal.masters = masters
      case 11:
        guard let beast = try pick(Beast.self, context), let other = try pick(Beast.self, context) else { return }
        log.append("\(beast.name).pack += \(other.name)")
        if !beast.pack.contains(where: { $0 === other }) { beast.pack.append(other) } else { other.packOf = [] }
      case 12:
        guard let beast = try pick(Beast.self, context), hasFriends else { return }
        let other = try pick(Beast.self, context)
        log.append("\(beast.name).friend = \(other?.name ?? "-")")
        beast.friend = other
      case 13:
        guard let master = try pick(Master.self, context) else { return }
        let other = try chance(3) ? nil : pick(Master.self, context)
        if other === master { return }
        log.append("\(master.name).partner = \(other?.name ?? "-")")
        master.partner = other
      case 14:
        guard let beast = try pick(Beast.self, context) else { return }
        log.append("\(beast.name).age")
        beast.age += 1
        try pick(Master.self, context)?.count += 1
      case 15, 16:
        let doomed: (any PersistentModel)?
        switch Int.random(in: 0..<6, using: &dice) {
        case 0, 1: doomed = try pick(Master.self, context)
        case 2: doomed = try pick(Medal.self, context)
        default: doomed = try pick(Beast.self, context)
        }
        guard let doomed else { return }
        log.append("delete \(name(doomed))")
        hold(doomed)
        if let master = doomed as? Master { for beast in master.beasts { hold(beast) } }
        context.delete(doomed)
      case 17, 18, 19:
        let lost = held.filter { $0.modelContext == nil || $0.isDeleted }
        guard let model = lost.randomElement(using: &dice) else { return }
        let status = model._$withState { $0.status }
        let former = status == .detached ? model.persistentModelID : nil
        log.append("insert \(name(model)), which is \(status)")
        insertAny(model)
        if model.modelContext == nil { throw Mismatch(message: "\(name(model)) was not inserted") }
        guard let former, chance(2) else { return }
        try save()
        if model.persistentModelID == former { throw Mismatch(message: "\(name(model)) has its former identifier") }
      case 20, 21: try save()
      case 22:
        log.append("rollback")
        context.rollback()
        try compare(
          try picture(context), try picture(ModelContext(container)), "after a rollback there is, and is not stored")
      default:
        if context.hasChanges {
          log.append("forget")
          held.removeAll { _ in chance(4) }
          return
        }
        guard let master = try pick(Master.self, third) else { return }
        let beast = try pick(Beast.self, third)
        log.append("another context changes \(master.name)\(beast.map { " and \($0.name)" } ?? "")")
        if let beast { beast.master = chance(2) ? master : nil }
        if chance(2) { master.beasts.reverse() }
        if chance(3) { master.medals = [] }
        if chance(6), let beast { third.delete(beast) }
        try third.save()
        context.processPendingChanges()
        try compare(
          try picture(context), try picture(ModelContext(container)), "after another save there is, and is not stored")
      }
    }
  }

  @Test("Contexts and store agree", arguments: 0..<TestOptions.programs, [false, true])
  func agree(seed: Int, hasFriends: Bool) throws {
    let run = try Run(seed: UInt64(seed), hasFriends: hasFriends)
    do {
      for _ in 0..<150 { try run.step() }
      try run.save()
    } catch let mismatch as Mismatch {
      let log = run.log.suffix(40).joined(separator: "\n  ")
      Issue.record("seed \(seed), friends \(hasFriends): \(mismatch.message)\n  \(log)")
    } catch {
      Issue.record("seed \(seed), friends \(hasFriends): \(error)\n  \(run.log.suffix(40).joined(separator: "\n  "))")
    }
  }
}
