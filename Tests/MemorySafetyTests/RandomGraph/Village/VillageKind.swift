import SwiftData

@testable import TestSupport

/// The entities of the village.
enum VillageKind: String, CaseIterable {
  case villager, smith, guildmaster, house, room, chest, label, club, tool, forge

  init?(_ model: any PersistentModel) {
    guard let kind = Self.allCases.first(where: { $0.type == Swift.type(of: model) }) else { return nil }
    self = kind
  }

  var type: any PersistentModel.Type {
    switch self {
    case .villager: Villager.self
    case .smith: Smith.self
    case .guildmaster: Guildmaster.self
    case .house: House.self
    case .room: Room.self
    case .chest: Chest.self
    case .label: Label.self
    case .club: Club.self
    case .tool: Tool.self
    case .forge: Forge.self
    }
  }

  var entityName: String { "\(type)" }

  var base: VillageKind? {
    switch self {
    case .smith: .villager
    case .guildmaster: .smith
    default: nil
    }
  }

  static let roots = allCases.filter { $0.base == nil }

  func isKind(of other: VillageKind) -> Bool {
    self == other || base?.isKind(of: other) == true
  }

  /// The relationships of its models, including inherited ones.
  var links: [VillageLink] {
    VillageLink.all.filter { isKind(of: $0.owner) }
  }

  var fields: [VillageField] {
    VillageField.all.filter { isKind(of: $0.owner) }
  }

  /// Makes a model whose unique values come from a number.
  func make(_ number: Int, house: House?) -> any PersistentModel {
    switch self {
    case .villager: Villager(name: "v\(number)")
    case .smith: Smith(name: "v\(number)", code: number % 3 == 0 ? nil : "c\(number)")
    case .guildmaster: Guildmaster(name: "v\(number)", code: "c\(number)", seal: number % 3 == 0 ? nil : "s\(number)")
    case .house: House(address: "h\(number)")
    case .room: Room(number: number, house: house ?? House(address: "along with \(number)"))
    case .chest: Chest(weight: number)
    case .label: Label(word: "w\(number)")
    case .club: Club(town: "t\(number % 2)", number: number)
    case .tool: Tool(weight: number)
    case .forge: Forge(heat: number)
    }
  }
}

extension ModelContext {
  /// The models of a kind and of its subclasses.
  func villagers(of kind: VillageKind) throws -> [any PersistentModel] {
    func all<Model: PersistentModel>(_ type: Model.Type) throws -> [any PersistentModel] {
      try fetch(FetchDescriptor<Model>())
    }
    return try all(kind.type)
  }
}
