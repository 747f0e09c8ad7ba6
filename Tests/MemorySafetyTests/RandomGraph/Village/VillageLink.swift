import SwiftData

@testable import TestSupport

/// A relationship of the village, seen from one side.
struct VillageLink: Sendable {
  typealias Place<Owner, Value> = any ReferenceWritableKeyPath<Owner, Value> & Sendable

  enum Shape {
    case toMany, toOne, required
  }

  enum Rule {
    case nullify, cascade, deny
  }

  let owner: VillageKind
  let name: String
  let target: VillageKind
  let shape: Shape
  let rule: Rule
  /// The name of the inverse, if there is one.
  let inverseName: String?
  let read: @Sendable (any PersistentModel) -> [any PersistentModel]
  let write: @Sendable (any PersistentModel, [any PersistentModel]) -> Void
  /// Changes the members in place.
  let append: @Sendable (any PersistentModel, any PersistentModel) -> Void
  let removeMember: @Sendable (any PersistentModel, Int) -> Void

  var isToMany: Bool { shape == .toMany }

  var inverse: VillageLink? {
    inverseName.flatMap { name in Self.all.first { $0.name == name && target.isKind(of: $0.owner) } }
  }

  private static func toMany<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: VillageKind, _ name: String, _ place: Place<Owner, [Target]>, _ target: VillageKind, _ inverse: String?,
    _ rule: Rule = .nullify
  ) -> VillageLink {
    VillageLink(
      owner: owner, name: name, target: target, shape: .toMany, rule: rule, inverseName: inverse,
      read: { model in
        guard let model = model as? Owner else { return [] }
        return model[keyPath: place]
      },
      write: { model, targets in (model as? Owner)?[keyPath: place] = targets.compactMap { $0 as? Target } },
      append: { model, target in
        if let target = target as? Target { (model as? Owner)?[keyPath: place].append(target) }
      },
      removeMember: { model, index in
        guard let model = model as? Owner, !model[keyPath: place].isEmpty else { return }
        model[keyPath: place].remove(at: index % model[keyPath: place].count)
      })
  }

  private static func toOne<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: VillageKind, _ name: String, _ place: Place<Owner, Target?>, _ target: VillageKind, _ inverse: String?
  ) -> VillageLink {
    let write: @Sendable (any PersistentModel, [any PersistentModel]) -> Void = { model, targets in
      (model as? Owner)?[keyPath: place] = targets.first as? Target
    }
    return VillageLink(
      owner: owner, name: name, target: target, shape: .toOne, rule: .nullify, inverseName: inverse,
      read: { model in
        guard let model = model as? Owner, let target = model[keyPath: place] else { return [] }
        return [target]
      },
      write: write, append: { write($0, [$1]) }, removeMember: { model, _ in write(model, []) })
  }

  private static func optionalToMany<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: VillageKind, _ name: String, _ place: Place<Owner, [Target]?>, _ target: VillageKind, _ inverse: String?
  ) -> VillageLink {
    VillageLink(
      owner: owner, name: name, target: target, shape: .toMany, rule: .nullify, inverseName: inverse,
      read: { model in
        guard let model = model as? Owner else { return [] }
        return model[keyPath: place] ?? []
      },
      write: { model, targets in (model as? Owner)?[keyPath: place] = targets.compactMap { $0 as? Target } },
      append: { model, target in
        guard let model = model as? Owner, let target = target as? Target else { return }
        model[keyPath: place] = (model[keyPath: place] ?? []) + [target]
      },
      removeMember: { model, index in
        guard let model = model as? Owner, var members = model[keyPath: place], !members.isEmpty else { return }
        members.remove(at: index % members.count)
        model[keyPath: place] = members
      })
  }

  private static func required<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: VillageKind, _ name: String, _ place: Place<Owner, Target>, _ target: VillageKind, _ inverse: String?
  ) -> VillageLink {
    let write: @Sendable (any PersistentModel, [any PersistentModel]) -> Void = { model, targets in
      if let target = targets.first as? Target { (model as? Owner)?[keyPath: place] = target }
    }
    return VillageLink(
      owner: owner, name: name, target: target, shape: .required, rule: .nullify, inverseName: inverse,
      read: { model in
        guard let model = model as? Owner else { return [] }
        return [model[keyPath: place]]
      },
      write: write, append: { write($0, [$1]) }, removeMember: { _, _ in })
  }

  static let all: [VillageLink] = [
    toMany(.villager, "friends", \Villager.friends, .villager, "admirers"),
    toMany(.villager, "admirers", \Villager.admirers, .villager, "friends"),
    toOne(.villager, "partner", \Villager.partner, .villager, "partnerOf"),
    toOne(.villager, "partnerOf", \Villager.partnerOf, .villager, "partner"),
    toOne(.villager, "club", \Villager.club, .club, "members"),
    toOne(.villager, "master", \Villager.master, .guildmaster, "apprentices"),
    toMany(.villager, "tools", \Villager.tools, .tool, "owner", .cascade),
    toOne(.smith, "forge", \Smith.forge, .forge, "smith"),
    toMany(.guildmaster, "apprentices", \Guildmaster.apprentices, .villager, "master"),
    toMany(.house, "rooms", \House.rooms, .room, "house"),
    required(.room, "house", \Room.house, .house, "rooms"),
    toMany(.room, "chests", \Room.chests, .chest, "room", .cascade),
    toOne(.chest, "room", \Chest.room, .room, "chests"),
    toMany(.chest, "labels", \Chest.labels, .label, "chests"),
    optionalToMany(.label, "chests", \Label.chests, .chest, "labels"),
    toMany(.club, "members", \Club.members, .villager, "club", .deny),
    toOne(.club, "prize", \Club.prize, .tool, nil),
    toOne(.tool, "owner", \Tool.owner, .villager, "tools"),
    toOne(.forge, "smith", \Forge.smith, .smith, "forge"),
  ]
}
