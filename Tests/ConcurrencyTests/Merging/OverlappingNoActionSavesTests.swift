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

/// Runs `OverlappingSaveProgram` with to-ones whose target may be deleted. `pontoon` then reads as nil, but its row keeps the
/// dangling key, because the inverse has the rule `noAction`. `refuge` is one-way: its foreign key sets it to null.
@Suite("Random overlapping saves with noAction relationships")
struct OverlappingNoActionSavesTests {
  private final class Writer: RandomWriter, @unchecked Sendable {
    /// Stands for a saved value that the test cannot predict.
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
      case 10: try randomModel(Yacht.self)?.name = "\(draw(1000))"
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
      yacht.pontoon = try randomModelOrNil(Pontoon.self)
      yacht.refuge = try randomModelOrNil(Pontoon.self)
    }

    private func changePontoon() throws {
      guard let yacht = try randomModel(Yacht.self) else { return }
      let pontoon = try randomModelOrNil(Pontoon.self)
      yacht.pontoon = pontoon
      markUnpredictable(yacht, "pontoon", pontoon)
    }

    private func changeRefuge() throws {
      guard let yacht = try randomModel(Yacht.self) else { return }
      let refuge = try randomModelOrNil(Pontoon.self)
      yacht.refuge = refuge
      markUnpredictable(yacht, "refuge", refuge)
    }

    private func changeYachts() throws {
      guard let pontoon = try randomModel(Pontoon.self) else { return }
      switch draw(3) {
      case 0:
        pontoon.yachts.reverse()
        log.add(name, "reverses \(Self.shortIdentifier(of: pontoon))")
      case 1:
        guard let yacht = pontoon.yachts.last else { return }
        pontoon.yachts.removeLast()
        markUnpredictable(yacht, "pontoon", nil)
      default:
        guard let yacht = try randomModel(Yacht.self), !pontoon.yachts.contains(where: { $0 === yacht }) else { return }
        pontoon.yachts.append(yacht)
        markUnpredictable(yacht, "pontoon", pontoon)
      }
    }

    /// Marks a changed to-one, whose saved value depends on the other contexts' changes to the pontoon.
    private func markUnpredictable(_ yacht: Yacht, _ property: String, _ pontoon: Pontoon?) {
      let target = pontoon.map(Self.shortIdentifier) ?? Self.nowhere
      log.add(name, "sets \(property) of \(Self.shortIdentifier(of: yacht)) to \(target)")
      unsaved[Self.key(yacht, property)] = Self.unknown
    }

    override func readSomething() throws {
      let kind = draw(5)
      log.add(name, "reads in way \(kind)")
      switch kind {
      case 0: context.processPendingChanges()
      case 1: _ = try context.fetch(FetchDescriptor<Yacht>())
      case 2: _ = try randomModel(Yacht.self).map(Self.summary)
      case 3: _ = try randomModel(Pontoon.self).map(Self.summary)
      default: _ = try randomModel(Yacht.self)?.name
      }
    }

    // MARK: Reinserting

    override func recordInsertion(of model: any PersistentModel) throws {
      func isGone(_ other: any PersistentModel) -> Bool { other.modelContext !== context || other.isDeleted }
      switch model {
      case let yacht as Yacht:
        // The insertion also reinserts these targets under new identifiers, so the expectations recorded by identifier no
        // longer hold.
        if [yacht.pontoon, yacht.refuge].compactMap(\.self).contains(where: isGone) { log.savedLast = [:] }
      case let pontoon as Pontoon:
        if pontoon.yachts.contains(where: isGone) { log.savedLast = [:] }
        // The pontoon gets yachts back that left it after its deletion and reference no other pontoon.
        for yacht in pontoon.yachts { unsaved[Self.key(yacht, "pontoon")] = Self.unknown }
      default: break
      }
    }

    // MARK: Comparing

    override class func summary(of model: any PersistentModel) -> String {
      switch model {
      case let yacht as Yacht:
        "\(yacht.name) \(yacht.pontoon.map(Self.shortIdentifier) ?? nowhere) \(yacht.refuge.map(Self.shortIdentifier) ?? nowhere)"
      case let pontoon as Pontoon: "\(pontoon.name) \(pontoon.yachts.map(Self.shortIdentifier))"
      default: ""
      }
    }

    override class func storeMismatch(_ container: ModelContainer, _ log: OverlappingSaveLog) throws -> String? {
      let context = ModelContext(container)
      defer { withExtendedLifetime(context) {} }
      let pontoons = Set(try context.fetch(FetchDescriptor<Pontoon>()).map(Self.shortIdentifier))
      for yacht in try context.fetch(FetchDescriptor<Yacht>()) {
        let (pontoon, refuge) = (yacht.pontoon.map(Self.shortIdentifier), yacht.refuge.map(Self.shortIdentifier))
        let mismatch =
          pontoonMismatch(Self.key(yacht, "pontoon"), pontoon ?? nowhere, pontoons, log)
          ?? refugeMismatch(Self.key(yacht, "refuge"), refuge ?? nowhere, pontoons, log)
        if let mismatch { return mismatch }
      }
      return nil
    }

    /// Expects the reference that was saved last, if its target exists.
    private class func pontoonMismatch(
      _ key: String, _ found: String, _ pontoons: Set<String>, _ log: OverlappingSaveLog
    ) -> String? {
      guard let last = log.savedLast[key], last != unknown else {
        // Nil may hide a dangling key, so nil is not recorded as the expected value.
        log.savedLast[key] = found == nowhere ? unknown : found
        return nil
      }
      let expected = pontoons.contains(last) ? last : nowhere
      return found == expected ? nil : "has \(found) as \(key), and not \(expected)"
    }

    /// Expects the reference that was saved last, and from the deletion of its target on nil.
    private class func refugeMismatch(
      _ key: String, _ found: String, _ pontoons: Set<String>, _ log: OverlappingSaveLog
    ) -> String? {
      let last = log.savedLast[key] ?? unknown
      let known = last == unknown ? found : last
      let expected = pontoons.contains(known) ? known : nowhere
      log.savedLast[key] = expected
      return found == expected ? nil : "has \(found) as \(key), and not \(expected)"
    }
  }

  @Test(
    "Contexts equal the store after random overlapping saves, and to-ones to deleted models are nil",
    arguments: 0..<TestOptions.programs)
  func program(number: Int) throws {
    let policies: [MergePolicy] = number % 3 == 0 ? [.lastWriterWins] : [.lastWriterWins, .storeWins, .throwOnConflict]
    try OverlappingSaveProgram<Writer>(
      number: number, policies: policies, insertsAgain: true, refreshes: number % 2 == 1
    ).run()
  }
}
