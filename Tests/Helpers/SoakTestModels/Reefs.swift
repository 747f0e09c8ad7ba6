package import Foundation
package import SwiftData

/// A reef; its fish are deleted with it.
@Model
package final class Reef {
  @Attribute(.unique) package var number: Int
  package var name: String
  package var depth = 0
  @Relationship(deleteRule: .cascade, inverse: \Fish.reef) package var fish: [Fish] = []
  @Relationship(inverse: \Diver.reefs) package var divers: [Diver] = []

  package init(number: Int) {
    self.number = number
    name = "reef \(number)"
  }
}

/// A fish, which may move to another reef.
@Model
package final class Fish {
  package var name: String
  package var spots = 0
  package var reef: Reef?
  package var finder: Diver?

  package init(name: String) {
    self.name = name
  }
}

/// A diver at one or several reefs, which stays when these are deleted.
@Model
package final class Diver {
  @Attribute(.unique) package var name: String
  package var note: String?
  package var reefs: [Reef] = []
  @Relationship(inverse: \Fish.finder) package var finds: [Fish] = []

  package init(name: String) {
    self.name = name
  }
}

/// A level that is only increased, and only in transactions, so that no increase may be missing in the end.
@Model
package final class Tide {
  package var number: Int
  package var level = 0

  package init(number: Int) {
    self.number = number
  }
}

/// The store that several processes open.
package func openReefs(at url: URL) throws -> ModelContainer {
  // Many writers wait for each other on a busy machine.
  let options = ModelConfiguration.StoreOptions(busyTimeout: .seconds(60))
  return try ModelContainer(
    for: Reef.self, Fish.self, Diver.self, Tide.self, configurations: ModelConfiguration(url: url, options: options))
}

/// Inserts the initial models.
package func fillReefs(_ context: ModelContext) throws {
  let divers = (0..<8).map { Diver(name: "d\($0)") }
  for number in 0..<12 {
    let reef = Reef(number: number)
    context.insert(reef)
    reef.fish = (0..<4).map { Fish(name: "f\(number) \($0)") }
    reef.divers = [divers[number % 8], divers[(3 * number + 1) % 8]]
    reef.fish.first?.finder = divers[number % 8]
  }
  for number in 0..<4 { context.insert(Tide(number: number)) }
  try context.save()
}

func brief(_ identifier: PersistentIdentifier) -> String {
  String(identifier.debugDescription.dropFirst("PersistentIdentifier(".count).dropLast())
}

func brief(_ model: any PersistentModel) -> String {
  brief(model.persistentModelID)
}
