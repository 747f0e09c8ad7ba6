import SwiftData

@testable import TestSupport

/// An attribute of a model of the village.
struct VillageField: Sendable {
  typealias Place<Owner, Value> = any ReferenceWritableKeyPath<Owner, Value> & Sendable

  let name: String
  let owner: VillageKind
  /// Returns a description of the value.
  let read: @Sendable (any PersistentModel) -> String
  /// Sets a value derived from a number, and returns its description.
  let write: @Sendable (any PersistentModel, Int) -> String

  private init<Owner: PersistentModel, Value: Sendable>(
    _ owner: VillageKind, _ name: String, _ place: Place<Owner, Value>, _ value: @escaping @Sendable (Int) -> Value
  ) {
    self.name = name
    self.owner = owner
    read = { model in (model as? Owner).map { "\($0[keyPath: place])" } ?? "no \(Owner.self)" }
    write = { model, number in
      let value = value(number)
      (model as? Owner)?[keyPath: place] = value
      return "\(value)"
    }
  }

  static let all: [VillageField] = [
    VillageField(.villager, "name", \Villager.name) { "v\($0)" },
    VillageField(.villager, "age", \Villager.age) { $0 % 4 == 0 ? nil : $0 },
    VillageField(.smith, "code", \Smith.code) { $0 % 3 == 0 ? nil : "c\($0)" },
    VillageField(.smith, "strength", \Smith.strength) { $0 },
    VillageField(.guildmaster, "seal", \Guildmaster.seal) { $0 % 3 == 0 ? nil : "s\($0)" },
    VillageField(.house, "address", \House.address) { "h\($0)" },
    VillageField(.room, "number", \Room.number) { $0 },
    VillageField(.chest, "weight", \Chest.weight) { $0 },
    VillageField(.label, "word", \Label.word) { "w\($0)" },
    VillageField(.label, "colour", \Label.colour) { $0 % 4 == 0 ? nil : $0 },
    VillageField(.club, "town", \Club.town) { "t\($0 % 2)" },
    VillageField(.club, "number", \Club.number) { $0 },
    VillageField(.club, "motto", \Club.motto) { "m\($0)" },
    VillageField(.tool, "weight", \Tool.weight) { $0 },
    VillageField(.forge, "heat", \Forge.heat) { $0 },
  ]

  /// The combinations of fields that no two rows may share.
  static let unique: [(owner: VillageKind, names: [String])] = [
    (.villager, ["name"]), (.smith, ["code"]), (.guildmaster, ["seal"]), (.label, ["word"]),
    (.club, ["town", "number"]),
  ]
}
