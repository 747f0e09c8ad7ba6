import SwiftData

@testable import TestSupport

extension VillageRun {
  /// Compares a few models with their rows, including all models that operations involved.
  func compareSome(_ side: VillageSide, _ occasion: String, _ random: inout SeededGenerator) throws {
    let count =
      switch habits.touching {
      case .rare: 2
      case .sometimes: 6
      case .often: 25
      }
    let all = image.rows.keys.sorted()
    guard !all.isEmpty else { return }
    for _ in 0..<count {
      let identifier: PersistentIdentifier
      let choice = Int.random(in: 0..<4, using: &random)
      if choice < 2, !side.involved.isEmpty {
        identifier = side.involved[Int.random(in: 0..<side.involved.count, using: &random)]
      } else if choice < 3, !side.held.isEmpty {
        identifier = side.held[Int.random(in: 0..<side.held.count, using: &random)].persistentModelID
      } else {
        identifier = all[Int.random(in: 0..<all.count, using: &random)]
      }
      guard let row = image.rows[identifier] else { continue }
      let links = row.kind.links
      let chosen = habits.touching == .often ? links : [links[Int.random(in: 0..<links.count, using: &random)]]
      try compare(identifier, row, chosen, side, occasion)
    }
  }

  /// Compares a model of a context with its row.
  private func compare(
    _ identifier: PersistentIdentifier, _ row: VillageImage.Row, _ links: [VillageLink], _ side: VillageSide,
    _ occasion: String
  ) throws {
    let model = side.context.model(for: identifier)
    guard model.modelContext == side.context, VillageKind(model) == row.kind else {
      throw Mismatch("\(occasion), \(side.number) has a \(type(of: model)) for \(brief(identifier))")
    }
    // Unsaved changes may differ from the store.
    if model.hasChanges { return }
    for field in row.kind.fields {
      let value = field.read(model)
      if value != row.fields[field.name] {
        throw Mismatch(
          "\(occasion), in \(side.number) \(brief(model)).\(field.name) is \(value), not "
            + "\(row.fields[field.name] ?? "there")")
      }
    }
    if side.context.hasChanges { return }
    for link in links {
      let targets = link.read(model)
      let expected = row.links[link.name] ?? []
      if targets.map(\.persistentModelID) != expected {
        throw Mismatch(
          "\(occasion), in \(side.number) \(brief(model)).\(link.name) is \(targets.map(brief)), not "
            + "\(expected.map(brief))")
      }
      for target in targets where target !== side.context.model(for: target.persistentModelID) {
        throw Mismatch("\(occasion), \(brief(model)).\(link.name) has another object for \(brief(target))")
      }
    }
    if side.context.hasChanges { throw Mismatch("\(occasion), reading \(brief(model)) left changes") }
  }

  /// Checks that the two sides of a relationship agree.
  func glance(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    // Before the merge of others' saves, one side may be older than the other.
    side.context.processPendingChanges()
    let link = link(&random) { $0.inverseName != nil }
    guard let inverse = link.inverse, let model = pick(link.owner, side, &random) else { return }
    let targets = link.read(model)
    if Set(targets.map(ObjectIdentifier.init)).count != targets.count {
      throw Mismatch("two sides, \(brief(model)).\(link.name) has a member twice: \(targets.map(brief))")
    }
    for target in targets {
      // Models whose deletion is denied, and required ones, stay linked until the save refuses.
      let isGone = target.isDeleted || target.modelContext != side.context
      if isGone, link.shape == .required || inverse.rule == .deny { continue }
      // The save refuses a reference to a model that another context deleted.
      if isGone, habits.isContended, side.context.hasChanges { continue }
      if isGone {
        throw Mismatch(
          "a missing target, \(brief(model)).\(link.name) has \(brief(target)), which is deleted or has no row")
      }
      if !inverse.read(target).contains(where: { $0 === model }) {
        throw Mismatch(
          "two sides, \(brief(model)).\(link.name) has \(brief(target)), but \(brief(target)).\(inverse.name) is "
            + "\(inverse.read(target).map(brief))")
      }
    }
    guard let other = pick(link.target, side, &random), !targets.contains(where: { $0 === other }) else { return }
    if inverse.read(other).contains(where: { $0 === model }) {
      throw Mismatch(
        "two sides, \(brief(other)).\(inverse.name) has \(brief(model)), but \(brief(model)).\(link.name) is \(targets.map(brief))"
      )
    }
  }

  /// Compares everything at the end of a run.
  func sweep() throws {
    var random = SeededGenerator(seed: 1)
    for side in sides {
      side.context.processPendingChanges()
      for _ in 0..<200 { try glance(side, &random) }
      if side.number % 2 == 0, side.context.hasChanges { try save(side, &random) }
      side.context.rollback()
    }
    image = try newImage()
    for side in sides {
      side.context.processPendingChanges()
      try compareAll(side, "at the end")
    }
  }

  func compareAll(_ side: VillageSide, _ occasion: String) throws {
    for (identifier, row) in image.rows.sorted(by: { $0.key < $1.key }) {
      try compare(identifier, row, row.kind.links, side, occasion)
    }
  }
}
