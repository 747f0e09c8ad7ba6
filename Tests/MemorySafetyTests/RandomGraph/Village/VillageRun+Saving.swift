import SwiftData

@testable import TestSupport

extension VillageRun {
  /// The values of a model before a save.
  private struct Witness {
    let model: any PersistentModel
    let fields: [String: String]
    let link: VillageLink
    let targets: [any PersistentModel]
  }

  func save(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    side.context.processPendingChanges()
    let inserted = side.context.insertedModelsArray
    let witnesses = try witnesses(side, &random)
    do {
      try side.context.save()
    } catch let error as SwiftDataError {
      try refuse(error, side, witnesses, &random)
      return
    }
    meaning += " saves \(inserted.count) inserted"
    if side.context.hasChanges { throw Mismatch("the context has changes after the save") }
    // An upsert changes other models than the ones that were set.
    let isUpsert = inserted.contains { $0.modelContext == nil || image.rows[$0.persistentModelID] != nil }
    image = try newImage()
    try image.checkConsistency()
    if isUpsert { meaning += ", upserts" }
    if !habits.isContended, !isUpsert {
      for witness in witnesses { try confirm(witness, in: image) }
    }
    try compareSome(side, "after a save", &random)
    side.involved = []
    side.refusals = 0
    for other in sides where other !== side && Bool.random(using: &random) { try refresh(other, &random) }
  }

  private func refuse(
    _ error: SwiftDataError, _ side: VillageSide, _ witnesses: [Witness], _ random: inout SeededGenerator
  ) throws {
    meaning += " refused: \(error.details?.message ?? "\(error)")"
    guard error == .modelValidationFailure else { throw error }
    let differences = try newImage().differences(from: image)
    if let first = differences.first { throw Mismatch("a save that failed changed the store: \(first)") }
    for witness in witnesses {
      let targets = witness.link.read(witness.model)
      if !targets.elementsEqual(witness.targets, by: ===) {
        throw Mismatch(
          "a save that failed made \(brief(witness.model)).\(witness.link.name) \(targets.map(brief)) of "
            + "\(witness.targets.map(brief))")
      }
    }
    side.refusals += 1
    if side.refusals > 1 || Int.random(in: 0..<4, using: &random) > 0 { try rollback(side, &random) }
  }

  private func witnesses(_ side: VillageSide, _ random: inout SeededGenerator) throws -> [Witness] {
    let count =
      switch habits.touching {
      case .rare: Int.random(in: 0..<3, using: &random)
      case .sometimes: 3
      case .often: 10
      }
    return (0..<count).compactMap { _ in
      let link = link(&random) { _ in true }
      guard let model = pick(link.owner, side, &random), let kind = VillageKind(model) else { return nil }
      var fields: [String: String] = [:]
      for field in kind.fields { fields[field.name] = field.read(model) }
      let targets = link.read(model)
      // A required relationship without a target reads as a placeholder value.
      if targets.contains(where: { $0.modelContext == nil }) { return nil }
      return Witness(model: model, fields: fields, link: link, targets: targets)
    }
  }

  private func confirm(_ witness: Witness, in image: VillageImage) throws {
    let identifier = witness.model.persistentModelID
    guard let row = image.rows[identifier] else { throw Mismatch("\(brief(identifier)) was not saved") }
    for (name, value) in witness.fields where row.fields[name] != value {
      throw Mismatch("\(brief(identifier)).\(name) was \(value), and \(row.fields[name] ?? "nothing") was saved")
    }
    // A one-way relationship loses a deleted target at the save.
    let targets = witness.targets.map(\.persistentModelID).filter { image.rows[$0] != nil }
    if row.links[witness.link.name] != targets {
      throw Mismatch(
        "\(brief(identifier)).\(witness.link.name) was \(targets.map(brief)), and "
          + "\(row.links[witness.link.name]?.map(brief) ?? []) was saved")
    }
  }

  func rollback(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    let inserted = side.context.insertedModelsArray
    side.context.rollback()
    meaning += " rolled back"
    if side.context.hasChanges { throw Mismatch("the context has changes after a rollback") }
    for model in inserted where model.modelContext != nil {
      throw Mismatch("\(brief(model)) has a context after a rollback")
    }
    side.context.processPendingChanges()
    try compareSome(side, "after a rollback", &random)
    side.involved = []
    side.refusals = 0
  }

  /// Merges what other contexts saved.
  func refresh(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    side.context.processPendingChanges()
    try compareSome(side, "after a refresh", &random)
  }
}
