import SwiftData

@testable import TestSupport

/// The entities of the random test.
enum Kind: Int, CaseIterable {
  case team
  case player
  case skill
  case badge
  case node

  var type: any GraphModel.Type {
    switch self {
    case .team: Team.self
    case .player: Player.self
    case .skill: Skill.self
    case .badge: Badge.self
    case .node: Node.self
    }
  }

  /// The relationships in the order of the class.
  var relations: [Relation] {
    Relation.allCases.filter { $0.source == self }
  }

  /// Makes a model whose initializer sets a relationship.
  func make(_ text: String, _ relation: Relation?, _ targets: [any GraphModel]) -> any GraphModel {
    switch (self, relation) {
    case (.team, .teamPlayers?): Team(text: text, players: targets.compactMap { $0 as? Player })
    case (.team, _): Team(text: text)
    case (.player, .playerTeam?): Player(text: text, team: targets.first as? Team)
    case (.player, .playerSkills?): Player(text: text, skills: targets.compactMap { $0 as? Skill })
    case (.player, .playerBadge?): Player(text: text, badge: targets.first as? Badge)
    case (.player, _): Player(text: text)
    case (.skill, .skillPlayers?): Skill(text: text, players: targets.compactMap { $0 as? Player })
    case (.skill, _): Skill(text: text)
    case (.badge, .badgePlayer?): Badge(text: text, player: targets.first as? Player)
    case (.badge, _): Badge(text: text)
    case (.node, .nodeParent?): Node(text: text, parent: targets.first as? Node)
    case (.node, .nodeChildren?): Node(text: text, children: targets.compactMap { $0 as? Node })
    case (.node, _): Node(text: text)
    }
  }
}

/// Every relationship of the random test, seen from one side.
enum Relation: Int, CaseIterable {
  case teamPlayers
  case playerTeam
  case playerSkills
  case skillPlayers
  case playerBadge
  case badgePlayer
  case nodeParent
  case nodeChildren

  var source: Kind {
    switch self {
    case .teamPlayers: .team
    case .playerTeam, .playerSkills, .playerBadge: .player
    case .skillPlayers: .skill
    case .badgePlayer: .badge
    case .nodeParent, .nodeChildren: .node
    }
  }

  var destination: Kind { inverse.source }

  var inverse: Relation {
    switch self {
    case .teamPlayers: .playerTeam
    case .playerTeam: .teamPlayers
    case .playerSkills: .skillPlayers
    case .skillPlayers: .playerSkills
    case .playerBadge: .badgePlayer
    case .badgePlayer: .playerBadge
    case .nodeParent: .nodeChildren
    case .nodeChildren: .nodeParent
    }
  }

  var isToMany: Bool {
    switch self {
    case .teamPlayers, .playerSkills, .skillPlayers, .nodeChildren: true
    case .playerTeam, .playerBadge, .badgePlayer, .nodeParent: false
    }
  }

  var cascades: Bool {
    self == .teamPlayers || self == .playerBadge || self == .nodeChildren
  }
}
