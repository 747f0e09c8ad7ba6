import SwiftData

@testable import TestSupport

/// A model of the random test: attributes, and relationships accessed by a `Relation`.
protocol GraphModel: PersistentModel {
  var text: String { get set }
  var number: Int? { get set }
  func targets(_ relation: Relation) -> [any GraphModel]
  func assign(_ relation: Relation, _ targets: [any GraphModel])
}

@Model
final class Team: GraphModel {
  var text: String
  var number: Int?
  @Relationship(deleteRule: .cascade, inverse: \Player.team) var players: [Player]

  init(text: String, players: [Player] = []) {
    self.text = text
    self.players = players
  }

  func targets(_ relation: Relation) -> [any GraphModel] { players }

  func assign(_ relation: Relation, _ targets: [any GraphModel]) {
    players = targets.compactMap { $0 as? Player }
  }
}

@Model
final class Player: GraphModel {
  @Attribute(.unique) var text: String
  var number: Int?
  var team: Team?
  @Relationship(inverse: \Skill.players) var skills: [Skill]
  @Relationship(deleteRule: .cascade, inverse: \Badge.player) var badge: Badge?

  init(text: String, team: Team? = nil, skills: [Skill] = [], badge: Badge? = nil) {
    self.text = text
    self.team = team
    self.skills = skills
    self.badge = badge
  }

  func targets(_ relation: Relation) -> [any GraphModel] {
    switch relation {
    case .playerTeam: team.map { [$0] } ?? []
    case .playerBadge: badge.map { [$0] } ?? []
    default: skills
    }
  }

  func assign(_ relation: Relation, _ targets: [any GraphModel]) {
    switch relation {
    case .playerTeam: team = targets.first as? Team
    case .playerBadge: badge = targets.first as? Badge
    default: skills = targets.compactMap { $0 as? Skill }
    }
  }
}

@Model
final class Skill: GraphModel {
  var text: String
  var number: Int?
  var players: [Player]

  init(text: String, players: [Player] = []) {
    self.text = text
    self.players = players
  }

  func targets(_ relation: Relation) -> [any GraphModel] { players }

  func assign(_ relation: Relation, _ targets: [any GraphModel]) {
    players = targets.compactMap { $0 as? Player }
  }
}

@Model
final class Badge: GraphModel {
  var text: String
  var number: Int?
  var player: Player?

  init(text: String, player: Player? = nil) {
    self.text = text
    self.player = player
  }

  func targets(_ relation: Relation) -> [any GraphModel] { player.map { [$0] } ?? [] }

  func assign(_ relation: Relation, _ targets: [any GraphModel]) {
    player = targets.first as? Player
  }
}

@Model
final class Node: GraphModel {
  var text: String
  var number: Int?
  var parent: Node?
  @Relationship(deleteRule: .cascade, inverse: \Node.parent) var children: [Node]

  init(text: String, parent: Node? = nil, children: [Node] = []) {
    self.text = text
    self.parent = parent
    self.children = children
  }

  func targets(_ relation: Relation) -> [any GraphModel] {
    relation == .nodeParent ? parent.map { [$0] } ?? [] : children
  }

  func assign(_ relation: Relation, _ targets: [any GraphModel]) {
    if relation == .nodeParent {
      parent = targets.first as? Node
    } else {
      children = targets.compactMap { $0 as? Node }
    }
  }
}
