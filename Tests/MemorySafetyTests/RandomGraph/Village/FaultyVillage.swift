import FaultyDriver
import Foundation
import Relational
import SwiftData

@testable import TestSupport

/// Lets database calls fail during an operation whose outcome is known: the operation must happen as a whole or not at all, and
/// a second try must succeed.
final class FaultyVillage {
  private let faults = CallFailures()
  private let village: VillageRun
  private var image: VillageImage { village.image }
  private var meaning = ""
  /// The context is kept for several steps, with the models that it has loaded.
  private var side: VillageSide

  struct Failure {
    let index: Int
    let message: String
    let log: [String]

    /// The first word of the message, which is the kind of failure.
    var kind: Substring { message.prefix { $0 != " " } }
  }

  /// - Parameter seed: Decides the initial contents.
  private init(seed: UInt64) throws {
    let habits = VillageHabits(touching: .rare, holding: 40, sides: 1, isContended: false)
    village = try DatabaseInterception.$wrap.withValue(faults.wrap) { try VillageRun(habits) }
    side = village.sides[0]
    try village.populate(seed: seed)
    side = VillageSide(0, village.container)
  }

  /// - Returns: The first step that fails.
  static func run(_ steps: [UInt64], populatedFrom seed: UInt64) -> Failure? {
    var log: [String] = []
    do {
      let run = try FaultyVillage(seed: seed)
      for (index, step) in steps.enumerated() {
        do {
          run.meaning = ""
          defer { log.append("\(index): \(run.meaning)") }
          if TestOptions.isTracing { print(index, step) }
          try run.step(step)
        } catch {
          run.faults.stop()
          return Failure(index: index, message: "\(error)", log: log.suffix(10))
        }
      }
      return nil
    } catch {
      return Failure(index: steps.count, message: "\(error)", log: log.suffix(10))
    }
  }

  private func step(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    if Int.random(in: 0..<3, using: &random) == 0 {
      side = VillageSide(0, village.container)
      meaning = "new context; "
    }
    var before = image
    var base = image
    // Leaves a change pending, or lets another context save one.
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      guard let deed = choose(image, &random, among: 2..<6), let outcome = deed.predict(image, after: image) else {
        break
      }
      meaning += "\(deed) pending; "
      try deed.perform(side.context, side.context.model(for:))
      base = outcome
    case 1:
      guard let deed = choose(image, &random, among: 2..<7), let outcome = deed.predict(image, after: image) else {
        break
      }
      meaning += "\(deed) saved by another; "
      let other = ModelContext(village.container)
      try deed.perform(other, other.model(for:))
      try other.save()
      try become(outcome, "another context saved")
      before = outcome
      base = outcome
      fail(&random)
      side.context.processPendingChanges()
      // The context throws the failed read from the next call that can throw.
      if faults.stop() > 0 { try? side.context.save() }
      side.context.processPendingChanges()
    default: break
    }
    guard let deed = choose(base, &random, among: 0..<9) else { return side.context.rollback() }
    try attempt(deed, before: before, base: base, &random)
    if image.rows.count > VillageRun.sizeLimit { try thinOut() }
  }

  /// Performs the operation while calls fail, and checks the outcome.
  private func attempt(
    _ deed: VillageDeed, before: VillageImage, base: VillageImage,
    _ random: inout SeededGenerator
  ) throws {
    var known: [PersistentIdentifier: any PersistentModel] = [:]
    if Bool.random(using: &random) {
      for identifier in base.rows.keys.sorted() { known[identifier] = side.context.model(for: identifier) }
    }
    let find: (PersistentIdentifier) -> any PersistentModel = { [side] in known[$0] ?? side.context.model(for: $0) }
    let savesMeanwhile = Bool.random(using: &random)
    let rollsBack = Int.random(in: 0..<3, using: &random) == 0
    fail(&random)
    var isSaved = false
    do {
      try deed.perform(side.context, find)
      if savesMeanwhile {
        try side.context.save()
        isSaved = true
      }
    } catch {
      meaning += "threw \(error); "
    }
    let count = faults.stop()
    meaning += "\(deed)\(savesMeanwhile ? ", save" : ""), \(count) failed; "
    var refusal: (any Error)?
    if isSaved {
      meaning += "saved"
    } else if rollsBack {
      meaning += "rolled back"
      side.context.rollback()
    } else {
      for _ in 0..<3 where !isSaved {
        do {
          try side.context.save()
          isSaved = true
        } catch {
          meaning += "refused: \(error); "
          refusal = error
        }
      }
      if !isSaved { side.context.rollback() }
    }
    if side.context.hasChanges { throw Mismatch("the context still has changes") }
    let after = try village.newImage()
    try after.checkConsistency()
    let whole = deed.predict(base, after: after)
    if !isSaved {
      if let first = after.differences(from: before).first { throw Mismatch("nothing was saved, but \(first)") }
      if !rollsBack, whole != nil || deed.isInsertion {
        throw Mismatch("three saves failed: \(refusal.map { "\($0)" } ?? "")")
      }
    } else if let whole, after.differences(from: whole).isEmpty {
      meaning += "; all of it"
    } else if count > 0 || whole == nil, after.differences(from: base).isEmpty {
      meaning += "; nothing of it"
    } else if count > 0, deed.isInsertion, let half = deed.predict(base, after: after, isLinked: false),
      after.differences(from: half).isEmpty
    {
      meaning += "; inserted, not linked"
    } else {
      let differences = whole.map { after.differences(from: $0) } ?? ["it is saved, and should be refused"]
      throw Mismatch("after \(deed): \(differences.joined(separator: ", "))")
    }
    village.image = after
    try compareMemory(&random)
    if after.differences(from: base).isEmpty { try tryAgain(deed, base) }
  }

  /// Without faults the operation must succeed.
  private func tryAgain(_ deed: VillageDeed, _ base: VillageImage) throws {
    try deed.perform(side.context, side.context.model(for:))
    do {
      try side.context.save()
    } catch {
      side.context.rollback()
      let after = try village.newImage()
      if deed.isInsertion || deed.predict(base, after: after) != nil {
        throw Mismatch("the second try failed: \(error)")
      }
      return
    }
    let after = try village.newImage()
    try after.checkConsistency()
    if let whole = deed.predict(base, after: after) {
      if let first = after.differences(from: whole).first { throw Mismatch("after the second try \(first)") }
    } else if !deed.isInsertion {
      throw Mismatch("the second try was saved, and should be refused")
    }
    village.image = after
    meaning += "; done the second time"
  }

  /// Compares the models in memory with the store.
  private func compareMemory(_ random: inout SeededGenerator) throws {
    side.context.processPendingChanges()
    try village.compareAll(side, "after a failure")
    try side.context.save()
  }

  private func become(_ expected: VillageImage, _ occasion: String) throws {
    let after = try village.newImage()
    if let first = after.differences(from: expected).first { throw Mismatch("\(occasion): \(first)") }
    village.image = after
  }

  private func fail(_ random: inout SeededGenerator) {
    let first = Int.random(in: 0..<14, using: &random)
    let length = [0, 0, 0, 2, 1000][Int.random(in: 0..<5, using: &random)]
    let reasons: [DatabaseError.Reason] = [.other, .busy, .interrupted]
    let reason = reasons[Int.random(in: 0..<3, using: &random)]
    meaning += "calls \(first)...\(first + length) fail (\(reason)); "
    faults.fail(first...(first + length), with: reason)
  }

  private func thinOut() throws {
    let context = ModelContext(village.container)
    for identifier in image.identifiers(of: .tool).prefix(5) { context.delete(context.model(for: identifier)) }
    for identifier in image.identifiers(of: .forge).prefix(5) { context.delete(context.model(for: identifier)) }
    for identifier in image.identifiers(of: .villager).prefix(5) { context.delete(context.model(for: identifier)) }
    for identifier in image.identifiers(of: .label).prefix(5) { context.delete(context.model(for: identifier)) }
    for identifier in image.identifiers(of: .chest).prefix(5) { context.delete(context.model(for: identifier)) }
    try context.save()
    village.image = try village.newImage()
    side = VillageSide(0, village.container)
  }

  // MARK: Choosing

  private func choose(
    _ image: VillageImage, _ random: inout SeededGenerator, among numbers: Range<Int>
  ) -> VillageDeed? {
    func any(_ kind: VillageKind) -> PersistentIdentifier? {
      let all = image.identifiers(of: kind)
      return all.isEmpty ? nil : all[Int.random(in: 0..<all.count, using: &random)]
    }
    let link = village.link(&random) { _ in true }
    let field = VillageField.all[Int.random(in: 0..<VillageField.all.count, using: &random)]
    let number = Int.random(in: 0..<300, using: &random)
    let kind = VillageKind.allCases[Int.random(in: 0..<VillageKind.allCases.count, using: &random)]
    guard let owner = any(link.owner), let target = any(link.target) else { return nil }
    let members = image.rows[owner]?.links[link.name] ?? []
    switch Int.random(in: numbers, using: &random) {
    case 0: return .read(owner, link)
    case 1: return .fetch(kind)
    case 2: return any(field.owner).map { .set($0, field, number) }
    case 3:
      if link.shape == .required { return .assign(owner, link, [target]) }
      let isKept = link.isToMany && Bool.random(using: &random)
      return .assign(owner, link, isKept ? members.filter { $0 != target } + [target] : number % 4 == 0 ? [] : [target])
    case 4: return members.contains(target) ? nil : .append(owner, link, target)
    case 5: return link.shape == .required ? nil : .remove(owner, link, number)
    case 6, 7: return any(kind).map { .delete($0) }
    default:
      guard kind != .room, let link = kind.links.filter({ $0.shape != .required }).randomElement(using: &random),
        let target = any(link.target)
      else { return nil }
      // Values that no row has yet.
      return .insert(
        kind, 1000 + Int.random(in: 0..<100_000, using: &random), link, target,
        isByOtherSide: number % 2 == 0)
    }
  }
}
