import SwiftData

@testable import TestSupport

/// A model of the random test: some attributes, and relationships that are reached by what they are.
protocol Specimen: PersistentModel {
  var text: String { get set }
  var number: Int? { get set }
  func targets(_ relation: Relation) -> [any Specimen]
  func assign(_ relation: Relation, _ targets: [any Specimen])
}

@Model
final class Team: Specimen {
  var text: String
  var number: Int?
  @Relationship(deleteRule: .cascade, inverse: \Player.team) var players: [Player]

  init(text: String, players: [Player] = []) {
    self.text = text
    self.players = players
  }

  func targets(_ relation: Relation) -> [any Specimen] { players }

  func assign(_ relation: Relation, _ targets: [any Specimen]) {
    players = targets.compactMap { $0 as? Player }
  }
}

@Model
final class Player: Specimen {
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

  func targets(_ relation: Relation) -> [any Specimen] {
    switch relation {
    case .playerTeam: team.map { [$0] } ?? []
    case .playerBadge: badge.map { [$0] } ?? []
    default: skills
    }
  }

  func assign(_ relation: Relation, _ targets: [any Specimen]) {
    switch relation {
    case .playerTeam: team = targets.first as? Team
    case .playerBadge: badge = targets.first as? Badge
    default: skills = targets.compactMap { $0 as? Skill }
    }
  }
}

@Model
final class Skill: Specimen {
  var text: String
  var number: Int?
  var players: [Player]

  init(text: String, players: [Player] = []) {
    self.text = text
    self.players = players
  }

  func targets(_ relation: Relation) -> [any Specimen] { players }

  func assign(_ relation: Relation, _ targets: [any Specimen]) {
    players = targets.compactMap { $0 as? Player }
  }
}

@Model
final class Badge: Specimen {
  var text: String
  var number: Int?
  var player: Player?

  init(text: String, player: Player? = nil) {
    self.text = text
    self.player = player
  }

  func targets(_ relation: Relation) -> [any Specimen] { player.map { [$0] } ?? [] }

  func assign(_ relation: Relation, _ targets: [any Specimen]) {
    player = targets.first as? Player
  }
}

@Model
final class Node: Specimen {
  var text: String
  var number: Int?
  var parent: Node?
  @Relationship(deleteRule: .cascade, inverse: \Node.parent) var children: [Node]

  init(text: String, parent: Node? = nil, children: [Node] = []) {
    self.text = text
    self.parent = parent
    self.children = children
  }

  func targets(_ relation: Relation) -> [any Specimen] {
    relation == .nodeParent ? parent.map { [$0] } ?? [] : children
  }

  func assign(_ relation: Relation, _ targets: [any Specimen]) {
    if relation == .nodeParent {
      parent = targets.first as? Node
    } else {
      children = targets.compactMap { $0 as? Node }
    }
  }
}
