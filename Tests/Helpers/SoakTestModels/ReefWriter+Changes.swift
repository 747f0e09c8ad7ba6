import StoreFuzzer
import SwiftData

extension ReefWriter {
  /// Makes one change, if there is something to change.
  func change() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: try insertReef()
    case 1, 2: try insertFish()
    case 3: try insertDiver()
    case 4...6: try moveFish()
    case 7, 8: try reorder()
    case 9: try removeFish()
    case 10, 11: try joinOrLeave()
    case 12, 13: try setFinder()
    case 14: try deleteFish()
    case 15: try deleteOwner()
    default: try edit()
    }
  }

  /// A model of the context: mostly a retained one, with the values that it has loaded.
  private func pick<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
    let known = held.compactMap { $0 as? Model }.filter(isMine)
    if Int.random(in: 0..<3, using: &random) > 0, let model = known.randomElement(using: &random) { return model }
    let count = try context.fetchCount(FetchDescriptor<Model>())
    guard count > 0 else { return nil }
    var descriptor = FetchDescriptor<Model>()
    descriptor.fetchOffset = Int.random(in: 0..<count, using: &random)
    descriptor.fetchLimit = 1
    guard let model = try context.fetch(descriptor).first else { return nil }
    hold(model)
    return model
  }

  /// Two models of the context. Fetching the second may reveal that others have deleted the first.
  private func pick<First: PersistentModel, Second: PersistentModel>(
    _ first: First.Type, _ second: Second.Type
  ) throws -> (First, Second)? {
    guard let one = try pick(first), let other = try pick(second), isMine(one) else { return nil }
    return (one, other)
  }

  // MARK: Insertions

  private func insertReef() throws {
    guard try context.fetchCount(FetchDescriptor<Reef>()) < 30 else { return }
    let diver = try pick(Diver.self)
    // If a reef has the number, the insertion becomes an update.
    let reef = Reef(number: Int.random(in: 0..<60, using: &random))
    note("inserts reef \(reef.number)")
    reef.fish = [Fish(name: "\(name) a"), Fish(name: "\(name) b")]
    context.insert(reef)
    if let diver { reef.divers = [diver] }
    hold(reef)
    for fish in reef.fish { hold(fish) }
  }

  private func insertFish() throws {
    guard try context.fetchCount(FetchDescriptor<Fish>()) < 200, let reef = try pick(Reef.self) else { return }
    note("adds a fish to \(brief(reef))")
    let fish = Fish(name: "fish of \(name)")
    if Bool.random(using: &random) { fish.reef = reef } else { reef.fish.append(fish) }
    hold(fish)
  }

  private func insertDiver() throws {
    guard try context.fetchCount(FetchDescriptor<Diver>()) < 20 else { return }
    let reef = try pick(Reef.self)
    let diver = Diver(name: "d\(Int.random(in: 0..<40, using: &random))")
    note("inserts diver \(diver.name)")
    context.insert(diver)
    if let reef { diver.reefs = [reef] }
    hold(diver)
  }

  // MARK: Relationships

  private func moveFish() throws {
    guard let (fish, reef) = try pick(Fish.self, Reef.self) else { return }
    note("moves \(brief(fish)) to \(brief(reef))")
    if Bool.random(using: &random) {
      fish.reef = reef
    } else if !reef.fish.contains(where: { $0 === fish }) {
      let place = Int.random(in: 0...reef.fish.count, using: &random)
      reef.fish.insert(fish, at: place)
    }
  }

  private func removeFish() throws {
    guard let reef = try pick(Reef.self), let fish = reef.fish.randomElement(using: &random) else { return }
    note("takes \(brief(fish)) from \(brief(reef))")
    reef.fish.removeAll { $0 === fish }
  }

  private func reorder() throws {
    guard let reef = try pick(Reef.self) else { return }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      note("shuffles the fish of \(brief(reef))")
      reef.fish = reef.fish.shuffled(using: &random)
    case 1:
      let count = reef.fish.count
      guard count > 1 else { return }
      note("swaps fish of \(brief(reef))")
      reef.fish.swapAt(0, count - 1)
    default:
      note("reverses the divers of \(brief(reef))")
      reef.divers.reverse()
    }
  }

  private func joinOrLeave() throws {
    guard let (diver, reef) = try pick(Diver.self, Reef.self) else { return }
    note("has \(brief(diver)) join or leave \(brief(reef))")
    if let place = reef.divers.firstIndex(where: { $0 === diver }) {
      if Bool.random(using: &random) { reef.divers.remove(at: place) } else { diver.reefs.removeAll { $0 === reef } }
    } else if Bool.random(using: &random) {
      diver.reefs.append(reef)
    } else {
      reef.divers.insert(diver, at: 0)
    }
  }

  private func setFinder() throws {
    guard let (fish, diver) = try pick(Fish.self, Diver.self) else { return }
    let isNew = fish.finder !== diver
    note("\(isNew ? "sets" : "removes") the finder of \(brief(fish)), \(brief(diver))")
    fish.finder = isNew ? diver : nil
  }

  // MARK: Deletions

  private func deleteFish() throws {
    guard try context.fetchCount(FetchDescriptor<Fish>()) > 20, let fish = try pick(Fish.self) else { return }
    note("deletes \(brief(fish))")
    context.delete(fish)
  }

  /// Deletes a reef with its fish, or only a diver.
  private func deleteOwner() throws {
    if Bool.random(using: &random) {
      guard try context.fetchCount(FetchDescriptor<Reef>()) > 6, let reef = try pick(Reef.self) else { return }
      note("deletes \(brief(reef)) and its fish")
      context.delete(reef)
    } else {
      guard try context.fetchCount(FetchDescriptor<Diver>()) > 4, let diver = try pick(Diver.self) else { return }
      note("deletes \(brief(diver))")
      context.delete(diver)
    }
  }

  // MARK: Attributes

  private func edit() throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      guard let reef = try pick(Reef.self) else { return }
      note("edits the depth of \(brief(reef))")
      reef.depth = Int.random(in: 0..<100, using: &random)
    case 1:
      guard let reef = try pick(Reef.self) else { return }
      note("names \(brief(reef))")
      reef.name = "reef of \(name)"
    case 2:
      guard let diver = try pick(Diver.self) else { return }
      note("edits the note of \(brief(diver))")
      diver.note = diver.note == nil ? "met by \(name)" : nil
    case 3:
      guard let diver = try pick(Diver.self) else { return }
      // If another diver has the name, the save is refused.
      note("renames \(brief(diver))")
      diver.name = "d\(Int.random(in: 0..<40, using: &random))"
    default:
      guard let fish = try pick(Fish.self) else { return }
      note("edits \(brief(fish))")
      fish.spots += 1
      if Bool.random(using: &random) { fish.name = "fish \(fish.spots) of \(name)" }
    }
  }
}
