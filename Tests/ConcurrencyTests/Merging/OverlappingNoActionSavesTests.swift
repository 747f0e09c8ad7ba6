import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
final class Yacht {
  var name: String
  /// Not changed by the deletion of the pontoon.
  var pontoon: Pontoon?
  @Relationship(deleteRule: .noAction, inverse: nil) var refuge: Pontoon?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Pontoon {
  var name: String
  @Relationship(deleteRule: .noAction, inverse: \Yacht.pontoon) var yachts: [Yacht] = []

  init(_ name: String) {
    self.name = name
  }
}

/// The random program of the books' tests, with to-ones whose delete rule is `noAction`. Such a to-one to a deleted model reads
/// as nil, and its row keeps the key until the to-one is set.
@Suite("Random overlapping saves with noAction relationships")
struct OverlappingNoActionSavesTests {
  private final class Side: OverlappingSaveSide, @unchecked Sendable {
    /// The last saved value when it is unknown.
    private static let unknown = "?"
    private static let nowhere = "nowhere"

    override class var types: [any PersistentModel.Type] { [Yacht.self, Pontoon.self] }

    override class func fill(_ context: ModelContext) {
      for number in 0..<6 {
        let pontoon = Pontoon("\(number)")
        context.insert(pontoon)
        pontoon.yachts = (0..<3).map { Yacht("\(number).\($0)") }
        for yacht in pontoon.yachts { yacht.refuge = pontoon }
      }
    }

    // MARK: Changing

    override func change() throws {
      switch draw(12) {
      case 0: try insert()
      case 1, 2: try changePontoon()
      case 3, 4: try changeRefuge()
      case 5, 6: try changeYachts()
      case 7, 8: try deleteOne(Pontoon.self)
      case 9: try deleteOne(Yacht.self)
      case 10: try any(Yacht.self)?.name = "\(draw(1000))"
      default:
        guard draw(2) == 0 else { return }
        log.add(name, "rolls back")
        rollBack()
      }
    }

    private func insert() throws {
      log.add(name, "inserts something")
      if draw(3) == 0 { return context.insert(Pontoon("\(draw(1000))")) }
      let yacht = Yacht("\(draw(1000))")
      context.insert(yacht)
      yacht.pontoon = try anyOrNone(Pontoon.self)
      yacht.refuge = try anyOrNone(Pontoon.self)
    }

    private func changePontoon() throws {
      guard let yacht = try any(Yacht.self) else { return }
      let pontoon = try anyOrNone(Pontoon.self)
      yacht.pontoon = pontoon
      note(yacht, "pontoon", pontoon)
    }

    private func changeRefuge() throws {
      guard let yacht = try any(Yacht.self) else { return }
      let refuge = try anyOrNone(Pontoon.self)
      yacht.refuge = refuge
      note(yacht, "refuge", refuge)
    }

    private func changeYachts() throws {
      guard let pontoon = try any(Pontoon.self) else { return }
      switch draw(3) {
      case 0:
        pontoon.yachts.reverse()
        log.add(name, "reverses \(Self.brief(pontoon))")
      case 1:
        guard let yacht = pontoon.yachts.last else { return }
        pontoon.yachts.removeLast()
        note(yacht, "pontoon", nil)
      default:
        guard let yacht = try any(Yacht.self), !pontoon.yachts.contains(where: { $0 === yacht }) else { return }
        pontoon.yachts.append(yacht)
        note(yacht, "pontoon", pontoon)
      }
    }

    /// The outcome of a change depends on the other contexts' changes to the pontoon.
    private func note(_ yacht: Yacht, _ property: String, _ pontoon: Pontoon?) {
      log.add(name, "has \(property) of \(Self.brief(yacht)) lead to \(pontoon.map(Self.brief) ?? Self.nowhere)")
      unsaved[Self.key(yacht, property)] = Self.unknown
    }

    override func look() throws {
      let kind = draw(5)
      log.add(name, "looks in way \(kind)")
      switch kind {
      case 0: context.processPendingChanges()
      case 1: _ = try context.fetch(FetchDescriptor<Yacht>())
      case 2: _ = try any(Yacht.self).map(Self.words)
      case 3: _ = try any(Pontoon.self).map(Self.words)
      default: _ = try any(Yacht.self)?.name
      }
    }

    // MARK: Reinserting

    override func recordInsertion(of model: any PersistentModel) throws {
      func isGone(_ other: any PersistentModel) -> Bool { other.modelContext !== context || other.isDeleted }
      switch model {
      case let yacht as Yacht:
        // The insertion also inserts other models, with new identifiers.
        if [yacht.pontoon, yacht.refuge].compactMap(\.self).contains(where: isGone) { log.savedLast = [:] }
      case let pontoon as Pontoon:
        if pontoon.yachts.contains(where: isGone) { log.savedLast = [:] }
        // The pontoon gets yachts back that left it after its deletion and reference no other pontoon.
        for yacht in pontoon.yachts { unsaved[Self.key(yacht, "pontoon")] = Self.unknown }
      default: break
      }
    }

    // MARK: Comparing

    override class func words(_ model: any PersistentModel) -> String {
      switch model {
      case let yacht as Yacht:
        "\(yacht.name) \(yacht.pontoon.map(Self.brief) ?? nowhere) \(yacht.refuge.map(Self.brief) ?? nowhere)"
      case let pontoon as Pontoon: "\(pontoon.name) \(pontoon.yachts.map(Self.brief))"
      default: ""
      }
    }

    override class func storedMistake(_ container: ModelContainer, _ log: OverlappingSaveLog) throws -> String? {
      let context = ModelContext(container)
      defer { withExtendedLifetime(context) {} }
      let pontoons = Set(try context.fetch(FetchDescriptor<Pontoon>()).map(Self.brief))
      for yacht in try context.fetch(FetchDescriptor<Yacht>()) {
        let (pontoon, refuge) = (yacht.pontoon.map(Self.brief), yacht.refuge.map(Self.brief))
        let mistake =
          pontoonMistake(Self.key(yacht, "pontoon"), pontoon ?? nowhere, pontoons, log)
          ?? refugeMistake(Self.key(yacht, "refuge"), refuge ?? nowhere, pontoons, log)
        if let mistake { return mistake }
      }
      return nil
    }

    /// The stored reference is the one saved last, if its target exists.
    private class func pontoonMistake(
      _ key: String, _ found: String, _ pontoons: Set<String>, _ log: OverlappingSaveLog
    ) -> String? {
      guard let last = log.savedLast[key], last != unknown else {
        // A nil to-one may have a dangling key in its row.
        log.savedLast[key] = found == nowhere ? unknown : found
        return nil
      }
      let expected = pontoons.contains(last) ? last : nowhere
      return found == expected ? nil : "has \(found) as \(key), and not \(expected)"
    }

    /// The last saved reference is forgotten when its target is deleted.
    private class func refugeMistake(
      _ key: String, _ found: String, _ pontoons: Set<String>, _ log: OverlappingSaveLog
    ) -> String? {
      let last = log.savedLast[key] ?? unknown
      let known = last == unknown ? found : last
      let expected = pontoons.contains(known) ? known : nowhere
      log.savedLast[key] = expected
      return found == expected ? nil : "has \(found) as \(key), and not \(expected)"
    }
  }

  @Test("To-ones are nil in all contexts once their target is deleted", arguments: 0..<TestOptions.programs)
  func program(number: Int) throws {
    let policies: [MergePolicy] = number % 3 == 0 ? [.lastWriterWins] : [.lastWriterWins, .storeWins, .throwOnConflict]
    try OverlappingSaveProgram<Side>(
      number: number, policies: policies, insertsAgain: true, refreshes: number % 2 == 1
    ).run()
  }
}
