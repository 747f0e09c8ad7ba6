import Foundation
import SwiftData

@testable import TestSupport

extension VillageRun {
  func perform(_ operation: VillageOperation, _ side: VillageSide, _ random: inout SeededGenerator) throws {
    let isFull = image.rows.count + side.context.insertedModelsArray.count > Self.sizeLimit
    switch operation.action {
    case .insert where isFull, .delete: try delete(side, &random)
    case .insert: try insert(side, &random)
    case .setField: try setField(side, &random)
    case .setLink, .append, .removeMember, .replaceAll: try change(operation.action, side, &random)
    case .deleteWhere: try deleteWhere(side, &random)
    case .save: try save(side, &random)
    case .rollback: try rollback(side, &random)
    case .fetch: try fetch(side, &random)
    case .touch: touch(side, &random)
    case .forget: side.held = side.held.filter { _ in Bool.random(using: &random) }
    case .refresh: try refresh(side, &random)
    case .outsideIdentifier: try lookUpFromOutside(side, &random)
    case .ghost: readDeletedModels(side)
    case .newContext: sides[side.number] = VillageSide(side.number, container)
    }
  }

  private func number(_ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<300, using: &random)
  }

  private func insert(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    let kind = VillageKind.allCases[Int.random(in: 0..<VillageKind.allCases.count, using: &random)]
    let number = number(&random)
    let house = kind == .room ? pick(.house, side, &random) as? House : nil
    let made = kind.make(number, house: house)
    meaning = "new \(kind) \(number)\(house.map { " in \(brief($0))" } ?? "")"
    let candidates = kind.links.filter { $0.shape != .required }
    let link = candidates.isEmpty ? nil : candidates[Int.random(in: 0..<candidates.count, using: &random)]
    if let link, let target = pick(link.target, side, &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        meaning += ", then inserted, .\(link.name) = \(brief(target)) before"
        link.write(made, [target])
        involve([made, target], side)
      case 1 where link.inverse != nil:
        meaning += ", brought in by \(brief(target)).\(link.inverseName ?? "")"
        if let inverse = link.inverse { try change(inverse, of: target, side) { inverse.append(target, made) } }
      case 2:
        side.context.insert(made)
        meaning += ", inserted, then .\(link.name) = \(brief(target))"
        try change(link, of: made, side) { link.write(made, [target]) }
      default:
        break
      }
    }
    side.context.insert(made)
    side.held.append(made)
    if made.modelContext != side.context { throw Mismatch("\(brief(made)) was not registered") }
  }

  private func setField(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    let field = VillageField.all[Int.random(in: 0..<VillageField.all.count, using: &random)]
    guard let model = pick(field.owner, side, &random) else { return }
    let written = field.write(model, number(&random))
    meaning = "\(brief(model)).\(field.name) = \(written)"
    involve([model], side)
    let value = field.read(model)
    if value != written { throw Mismatch("\(brief(model)).\(field.name) was set to \(written) and is \(value)") }
  }

  private func change(
    _ action: VillageOperation.Action, _ side: VillageSide, _ random: inout SeededGenerator
  ) throws {
    let link = link(&random) { $0.isToMany == (action != .setLink) }
    guard let model = pick(link.owner, side, &random) else { return }
    let target = pick(link.target, side, &random)
    let name = "\(brief(model)).\(link.name)"
    switch action {
    case .setLink:
      guard link.shape != .required || target != nil else { return }
      let isEmptied = link.shape != .required && Int.random(in: 0..<4, using: &random) == 0
      let targets = isEmptied ? [] : target.map { [$0] } ?? []
      meaning = "\(name) = \(targets.map(brief))"
      try change(link, of: model, side) { link.write(model, targets) }
    case .append:
      guard let target else { return }
      // Only a read shows whether it is a member already; mostly the test does not read.
      if link.read(model).contains(where: { $0 === target }) { return }
      meaning = "\(name).append(\(brief(target)))"
      try change(link, of: model, side) { link.append(model, target) }
    case .removeMember:
      let place = Int.random(in: 0..<5040, using: &random)
      meaning = "\(name).remove(at: \(place) % count)"
      try change(link, of: model, side) { link.removeMember(model, place) }
    default:
      var targets = target.map { [$0] } ?? []
      let isReversed = Bool.random(using: &random)
      // Keeps some members, or replaces all without reading them.
      if isReversed { targets = link.read(model).filter { $0 !== target }.reversed() + targets }
      meaning = "\(name) = \(targets.map(brief))"
      try change(link, of: model, side) { link.write(model, targets) }
    }
  }

  private func change(
    _ link: VillageLink, of model: any PersistentModel, _ side: VillageSide, _ body: () -> Void
  ) throws {
    body()
    involve([model], side)
    // The models that the change involves, as far as the store knows.
    for identifier in image.rows[model.persistentModelID]?.links[link.name] ?? [] { side.involved.append(identifier) }
    for target in link.read(model) {
      involve([target], side)
      guard let inverse = link.inverseName else { continue }
      side.involved += image.rows[target.persistentModelID]?.links[inverse] ?? []
    }
  }

  func involve(_ models: [any PersistentModel], _ side: VillageSide) {
    side.involved += models.map(\.persistentModelID).filter { image.rows[$0] != nil }
  }

  private func delete(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    let kind = VillageKind.allCases[Int.random(in: 0..<VillageKind.allCases.count, using: &random)]
    guard let model = pick(kind, side, &random) else { return }
    let isSaved = image.rows[model.persistentModelID] != nil
    meaning = "deletes \(brief(model))"
    side.involved.append(model.persistentModelID)
    if let row = image.rows[model.persistentModelID] { side.involved += row.links.values.flatMap(\.self) }
    side.context.delete(model)
    if isSaved, !model.isDeleted { throw Mismatch("\(brief(model)) was deleted, and isDeleted is false") }
    if !isSaved, model.modelContext != nil { throw Mismatch("\(brief(model)) was deleted and has a context") }
  }

  private func deleteWhere(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    let bound = number(&random)
    let isTool = Bool.random(using: &random)
    meaning = "deletes \(isTool ? "tools" : "chests") heavier than \(bound)"
    if isTool {
      try side.context.delete(model: Tool.self, where: #Predicate { $0.weight > bound })
    } else {
      try side.context.delete(model: Chest.self, where: #Predicate { $0.weight > bound })
    }
  }

  private func fetch(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    func load<Model: PersistentModel>(_ type: Model.Type, _ path: PartialKeyPath<Model>) throws {
      var descriptor = FetchDescriptor<Model>()
      let isPrefetching = Bool.random(using: &random)
      if isPrefetching { descriptor.relationshipKeyPathsForPrefetching = [path] }
      meaning = "\(Model.self), prefetching \(isPrefetching ? "\(path)" : "nothing")"
      let models = try side.context.fetch(descriptor)
      let isRare = habits.touching == .rare
      side.held += isRare ? Array(models.prefix(3)) : models
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try load(Villager.self, \.friends)
    case 1: try load(Villager.self, \.club)
    case 2: try load(Smith.self, \.forge)
    case 3: try load(Guildmaster.self, \.apprentices)
    case 4: try load(House.self, \.rooms)
    case 5: try load(Chest.self, \.labels)
    case 6: try load(Club.self, \.members)
    default: try load(Forge.self, \.smith)
    }
  }

  private func touch(_ side: VillageSide, _ random: inout SeededGenerator) {
    let link = link(&random) { _ in true }
    guard let model = pick(link.owner, side, &random) else { return }
    let targets = link.read(model)
    meaning = "\(brief(model)).\(link.name) is \(targets.map(brief))"
    side.held += targets.filter { $0.modelContext == side.context }
  }

  /// Reads all properties of deleted models, which must not trap.
  private func readDeletedModels(_ side: VillageSide) {
    for model in side.held where model.modelContext == nil {
      guard let kind = VillageKind(model) else { continue }
      for field in kind.fields { _ = field.read(model) }
      for link in kind.links { _ = link.read(model).map(\.hasChanges) }
    }
  }
}
