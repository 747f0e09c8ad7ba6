import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Random groups of changes, with undo, redo, saves, saves of another context and reads of lists in between. The context and
/// the store are compared with a graph that is computed without a context.
///
/// Half of the programs retain no model and fetch what they change, so that memory differs.
@Suite("Undoing random groups")
struct RandomGroupTests {
  private struct Mismatch: Error { let message: String }

  private final class Run {
    let container: ModelContainer
    let context: ModelContext
    let manager = UndoManager()
    let isHolding: Bool
    let isSaving: Bool
    var held: [any PersistentModel] = []
    var dice: SeededGenerator
    var number = 10
    var log: [String] = []
    var graph = UndoneGraph()
    /// The graphs before and after the groups that can be undone, and after the groups that can be redone.
    var past: [UndoneGraph] = []
    var future: [UndoneGraph] = []

    init(seed: UInt64) throws {
      dice = SeededGenerator(seed: seed)
      (isHolding, isSaving) = (seed % 2 == 0, seed % 4 < 2)
      container = try makeContainer(Master.self, Beast.self, Medal.self)
      let setup = ModelContext(container)
      for index in 0..<2 {
        setup.insert(Master("M\(index)"))
        graph.masters["M\(index)"] = .init()
        for index in [2 * index, 2 * index + 1] {
          setup.insert(Beast("b\(index)"))
          setup.insert(Medal("x\(index)"))
          graph.beasts["b\(index)"] = .init()
          graph.medals["x\(index)"] = []
        }
      }
      try setup.save()
      context = ModelContext(container)
      manager.groupsByEvent = false
      context.undoManager = manager
      past = [graph]
    }

    // MARK: Looking up

    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &dice) == 0 }
    func pick(_ names: some Collection<String>) -> String? { names.sorted().randomElement(using: &dice) }
    func some(_ names: some Collection<String>) -> [String] {
      Array(names.sorted().shuffled(using: &dice).prefix(Int.random(in: 0...3, using: &dice)))
    }

    func hold<Model: PersistentModel>(_ models: [Model]) throws -> Model {
      guard let model = models.first else { throw Mismatch(message: "a model is missing") }
      if isHolding { held.append(model) }
      return model
    }

    func master(_ name: String) throws -> Master {
      try hold(context.fetch(FetchDescriptor<Master>(predicate: #Predicate { $0.name == name })))
    }

    func beast(_ name: String) throws -> Beast {
      try hold(context.fetch(FetchDescriptor<Beast>(predicate: #Predicate { $0.name == name })))
    }

    func medal(_ name: String) throws -> Medal {
      try hold(context.fetch(FetchDescriptor<Medal>(predicate: #Predicate { $0.word == name })))
    }

    // MARK: Comparing

    /// Compares a context with the graph. Masters of another context have a negative count.
    func expect(_ context: ModelContext, _ what: String) throws {
      let masters = try context.fetch(FetchDescriptor<Master>(predicate: #Predicate { $0.count >= 0 }))
      let beasts = try context.fetch(FetchDescriptor<Beast>())
      let medals = try context.fetch(FetchDescriptor<Medal>())
      var found = masters.map { master in
        "\(master.name) \(master.count) beasts \(master.beasts.map(\.name)) medals \(master.medals.map(\.word)) "
          + "partner \(master.partner?.name ?? "-") of \(master.partnerOf?.name ?? "-")"
      }
      found += beasts.map { beast in
        "\(beast.name) \(beast.age) master \(beast.master?.name ?? "-") pack \(beast.pack.map(\.name)) "
          + "of \(beast.packOf.map(\.name))"
      }
      found += medals.map { "\($0.word) masters \($0.masters.map(\.name))" }
      let expected = graph.lines
      if found.sorted() == expected { return }
      throw Mismatch(
        message: """
          \(what): \(found.filter { !expected.contains($0) }.sorted()), and not \
          \(expected.filter { !found.contains($0) })
          """)
    }

    // MARK: Steps

    func step() throws {
      switch Int.random(in: 0..<20, using: &dice) {
      case 0...4: try undo()
      case 5...6: try redo()
      case 7...8: if isSaving { try save() }
      case 9: try saveElsewhere()
      case 10...11: try read()
      default: try group()
      }
      if chance(3) { try expect(context, "the context has") }
    }

    func group() throws {
      log.append("group")
      let count = manager.undoCount
      manager.beginUndoGrouping()
      for _ in 0..<Int.random(in: 1...3, using: &dice) { try change() }
      manager.endUndoGrouping()
      if manager.undoCount == count {
        if graph != past.last { throw Mismatch(message: "a change is not known") }
        return
      }
      past.append(graph)
      future = []
    }

    func undo() throws {
      guard manager.canUndo, past.count > 1 else { return }
      log.append("undo")
      manager.undo()
      future.append(past.removeLast())
      graph = past[past.count - 1]
    }

    func redo() throws {
      guard manager.canRedo, let next = future.popLast() else { return }
      log.append("redo")
      manager.redo()
      past.append(next)
      graph = next
    }

    func save() throws {
      log.append("save")
      try context.save()
      try expect(ModelContext(container), "the store has")
    }

    /// Another context saves changes outside of all groups.
    func saveElsewhere() throws {
      log.append("another context saves")
      let other = ModelContext(container)
      let master = Master("other")
      master.count = -1
      other.insert(master)
      try other.save()
    }

    func read() throws {
      if chance(2), let name = pick(graph.masters.keys) {
        let master = try master(name)
        log.append("read \(name): \(chance(2) ? master.beasts.count : master.medals.count)")
      } else if chance(2), let name = pick(graph.medals.keys) {
        log.append("read \(name): \(try medal(name).masters.count)")
      } else if let name = pick(graph.beasts.keys) {
        let beast = try beast(name)
        log.append("read \(name): \(chance(2) ? beast.master?.name ?? "-" : "\(beast.packOf.count)")")
      }
      if chance(4) { held.removeAll() }
    }

    // MARK: Changes

    func change() throws {
      number += 1
      switch Int.random(in: 0..<16, using: &dice) {
      case 0: insert()
      case 1, 2: try delete()
      case 3: try edit()
      case 4, 5, 6: try setOne()
      case 7: try append()
      case 8, 9, 10: try setBeasts()
      case 11, 12: try setMedals()
      case 13: try setMasters()
      default: try setPack()
      }
    }

    func insert() {
      let kind = graph.masters.count > 4 ? 1 : Int.random(in: 0..<3, using: &dice)
      if kind == 0 {
        context.insert(Master("M\(number)"))
        graph.masters["M\(number)"] = .init()
      } else if kind == 1 {
        context.insert(Beast("b\(number)"))
        graph.beasts["b\(number)"] = .init()
      } else {
        context.insert(Medal("x\(number)"))
        graph.medals["x\(number)"] = []
      }
      log.append("  insert \(kind) \(number)")
    }

    func delete() throws {
      if chance(3), graph.masters.count > 1, let name = pick(graph.masters.keys) {
        context.delete(try master(name))
        graph.delete(master: name)
        log.append("  delete \(name)")
      } else if chance(3), let name = pick(graph.medals.keys) {
        context.delete(try medal(name))
        graph.delete(medal: name)
        log.append("  delete \(name)")
      } else if let name = pick(graph.beasts.keys) {
        context.delete(try beast(name))
        graph.delete(beast: name)
        log.append("  delete \(name)")
      }
    }

    func edit() throws {
      if chance(2), let name = pick(graph.masters.keys) {
        try master(name).count = number
        graph.masters[name]?.count = number
        log.append("  \(name).count = \(number)")
      } else if let name = pick(graph.beasts.keys) {
        try beast(name).age = number
        graph.beasts[name]?.age = number
        log.append("  \(name).age = \(number)")
      }
    }

    func setOne() throws {
      if chance(4), let name = pick(graph.masters.keys) {
        let partner = chance(3) ? nil : pick(graph.masters.keys)
        if partner == name { return }
        try master(name).partner = try partner.map(master)
        graph.setPartner(of: name, partner)
        log.append("  \(name).partner = \(partner ?? "-")")
      } else if let name = pick(graph.beasts.keys) {
        let target = chance(3) ? nil : pick(graph.masters.keys)
        try beast(name).master = try target.map(master)
        graph.lead(name, to: target)
        log.append("  \(name).master = \(target ?? "-")")
      }
    }

    func append() throws {
      guard let name = pick(graph.masters.keys), let new = pick(graph.beasts.keys),
        graph.masters[name]?.beasts.contains(new) == false
      else { return }
      try master(name).beasts.append(try beast(new))
      graph.setBeasts(of: name, (graph.masters[name]?.beasts ?? []) + [new])
      log.append("  \(name).beasts += \(new)")
    }

    func setBeasts() throws {
      guard let name = pick(graph.masters.keys) else { return }
      let former = graph.masters[name]?.beasts ?? []
      let new = chance(2) ? former.shuffled(using: &dice) : some(graph.beasts.keys)
      try master(name).beasts = try new.map(beast)
      graph.setBeasts(of: name, new)
      log.append("  \(name).beasts = \(new)")
    }

    func setMedals() throws {
      guard let name = pick(graph.masters.keys) else { return }
      let new = some(graph.medals.keys)
      try master(name).medals = try new.map(medal)
      graph.setMedals(of: name, new)
      log.append("  \(name).medals = \(new)")
    }

    func setMasters() throws {
      guard let name = pick(graph.medals.keys) else { return }
      let new = some(graph.masters.keys)
      try medal(name).masters = try new.map(master)
      graph.setMasters(of: name, new)
      log.append("  \(name).masters = \(new)")
    }

    func setPack() throws {
      guard let name = pick(graph.beasts.keys) else { return }
      let new = some(graph.beasts.keys.filter { $0 != name })
      try beast(name).pack = try new.map(beast)
      graph.setPack(of: name, new)
      log.append("  \(name).pack = \(new)")
    }
  }

  @Test("Each group is undone and redone as a whole, whatever is in memory")
  func groups() throws {
    for program in 0..<UInt64(50 * TestOptions.programs) {
      let run = try Run(seed: TestOptions.seed &+ program)
      do {
        for _ in 0..<20 { try run.step() }
        try run.expect(run.context, "at the end the context has")
        try run.save()
      } catch {
        let message = (error as? Mismatch)?.message ?? "\(error)"
        Issue.record("seed \(TestOptions.seed &+ program)\n  \(run.log.joined(separator: "\n  "))\n\(message)")
        return
      }
    }
  }
}
