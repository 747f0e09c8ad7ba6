import Foundation
import SwiftData

@testable import TestSupport

/// The parameters of a run of the village.
struct VillageHabits: CustomStringConvertible {
  /// How much is read in addition to what the operations need.
  enum Touching: CaseIterable {
    case rare, sometimes, often
  }

  var touching: Touching
  /// How many models of a context the test retains.
  var holding: Int
  var sides: Int
  /// Whether several contexts may have unsaved relationship changes at once.
  var isContended: Bool

  var description: String {
    "\(sides) contexts, touching \(touching), holding \(holding)\(isContended ? ", contended" : "")"
  }

  /// Cycles through all combinations.
  static func turn(_ number: Int, sides: Int, isContended: Bool) -> VillageHabits {
    VillageHabits(
      touching: Touching.allCases[number % 3], holding: [200, 8, 40][number / 3 % 3], sides: sides,
      isContended: isContended)
  }
}

/// A context of the village.
final class VillageSide {
  let number: Int
  let context: ModelContext
  /// Models that the test retains, with the values that they have loaded.
  var held: [any PersistentModel] = []
  /// The models that changes since the last save or rollback involve.
  var involved: [PersistentIdentifier] = []
  var refusals = 0

  init(_ number: Int, _ container: ModelContainer) {
    self.number = number
    context = ModelContext(container)
  }
}

/// Applies operations to several contexts of one container, and checks invariants:
///
/// - After a rollback or a save, a context holds what a new context reads.
/// - A save writes the values in memory; a failed save changes neither memory nor store.
/// - The two sides of a relationship always agree.
///
/// Unlike `GraphRun` it has no reference model, which would have to read everything: most runs load few models.
final class VillageRun {
  /// With more rows than this, insertions become deletions.
  static let sizeLimit = 45

  let habits: VillageHabits
  private let folder: TemporaryFolder
  let container: ModelContainer
  var sides: [VillageSide]
  /// The contents of the store.
  var image = VillageImage()
  /// A description of the current operation's effect.
  var meaning = ""

  init(_ habits: VillageHabits) throws {
    self.habits = habits
    folder = try TemporaryFolder()
    container = try Self.open(folder.file())
    sides = []
    sides = (0..<habits.sides).map { VillageSide($0, container) }
  }

  static func open(_ url: URL) throws -> ModelContainer {
    try ModelContainer(
      for: Villager.self, Smith.self, Guildmaster.self, House.self, Room.self, Chest.self, Label.self, Club.self,
      Tool.self, Forge.self, configurations: ModelConfiguration(url: url))
  }

  struct Failure {
    let index: Int
    let message: String
    let log: [String]

    /// The start of the message, which is the kind of failure.
    var kind: Substring { message.prefix { $0 != "," } }
  }

  /// Runs operations until one of them breaks an invariant.
  static func run(_ operations: [VillageOperation], _ habits: VillageHabits) -> Failure? {
    var log: [String] = []
    do {
      let run = try VillageRun(habits)
      for (index, operation) in operations.enumerated() {
        do {
          if TestOptions.isTracing { print(index, operation) }
          run.meaning = ""
          defer { log.append("\(index): \(operation): \(run.meaning)") }
          try run.apply(operation)
        } catch {
          return Failure(index: index, message: "\(error)", log: log.suffix(40))
        }
      }
      try run.sweep()
      return nil
    } catch {
      return Failure(index: operations.count, message: "\(error)", log: log.suffix(40))
    }
  }

  /// Fills the village by insertions and links, and saves it.
  func populate(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for operation in VillageOperation.random(160, sides: 1, using: &random) {
      switch operation.action {
      case .insert, .setLink, .append, .save: try apply(operation)
      default: break
      }
    }
    try save(sides[0], &random)
    image = try newImage()
  }

  private func apply(_ operation: VillageOperation) throws {
    var random = SeededGenerator(seed: operation.seed)
    let side = sides[operation.side % sides.count]
    if !habits.isContended {
      if operation.action.isChange { try saveOthers(than: side, &random) }
      side.context.processPendingChanges()
    } else if Int.random(in: 0..<4, using: &random) > 0 {
      side.context.processPendingChanges()
    }
    try perform(operation, side, &random)
    let glances =
      switch habits.touching {
      case .rare: Int.random(in: 0..<12, using: &random) == 0 ? 1 : 0
      case .sometimes: 1
      case .often: 4
      }
    for _ in 0..<glances { try glance(side, &random) }
    let current = sides[operation.side % sides.count]
    if current.held.count > habits.holding { current.held.removeFirst(current.held.count - habits.holding) }
  }

  /// Saves the changes of other contexts, so that they do not conflict with changes of this one.
  private func saveOthers(than side: VillageSide, _ random: inout SeededGenerator) throws {
    for other in sides where other !== side && other.context.hasChanges {
      other.context.processPendingChanges()
      try save(other, &random)
      if other.context.hasChanges { try rollback(other, &random) }
    }
    side.context.processPendingChanges()
  }

  /// A model for an operation: a saved one, found by its identifier, or a pending one.
  func pick(_ kind: VillageKind, _ side: VillageSide, _ random: inout SeededGenerator) -> (any PersistentModel)? {
    let saved = image.identifiers(of: kind)
    let inserted = side.context.insertedModelsArray.filter { VillageKind($0)?.isKind(of: kind) == true }
    guard !saved.isEmpty || !inserted.isEmpty else { return nil }
    let place = Int.random(in: 0..<(saved.count + inserted.count), using: &random)
    let model = place < saved.count ? side.context.model(for: saved[place]) : inserted[place - saved.count]
    // A context that has not merged yet may have fewer models than the store, and one with deletions too.
    guard model.modelContext == side.context, !model.isDeleted else { return nil }
    side.held.append(model)
    return model
  }

  func link(_ random: inout SeededGenerator, where isIncluded: (VillageLink) -> Bool) -> VillageLink {
    let candidates = VillageLink.all.filter(isIncluded)
    return candidates[Int.random(in: 0..<candidates.count, using: &random)]
  }

  func newImage() throws -> VillageImage {
    do {
      return try VillageImage(container)
    } catch let error as Mismatch {
      throw Mismatch("in a new context: \(error)")
    }
  }
}
