/// Finds the relationship that leads back, for each that does not say so itself.
///
/// The rules are Apple's as far as they are known: what is written counts; else there must be one candidate and no other
/// relationship that could claim it; two to-many relationships are never taken for each other's inverse, nor are two
/// to-one relationships from a type to itself, nor two required to-one relationships. Of several candidates that are
/// equally good none is chosen, and the schema is refused; among required ones the relationship is left one-way.
struct InverseInference {
  let entities: [Schema.Entity]
  private(set) var issues: [SwiftDataError.Issue] = []
  private let byName: [String: Schema.Entity]

  private struct End {
    let entity: Schema.Entity
    let relationship: Schema.Relationship
  }

  init(entities: [Schema.Entity]) {
    self.entities = entities
    byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }

  private var ends: [End] {
    entities.flatMap { entity in
      entity.storedProperties.compactMap { $0 as? Schema.Relationship }.map { End(entity: entity, relationship: $0) }
    }
  }

  private func destination(of relationship: Schema.Relationship) -> Schema.Entity? {
    relationship.destinationType.flatMap { type in entities.first { $0.modelType == type } }
      ?? byName[relationship.destination]
  }

  mutating func run() {
    for end in ends where end.relationship.inverseKeyPath != nil { connectWritten(end) }
    let open = ends.filter { isOpen($0.relationship) }
    let candidates = Dictionary(open.map { (ObjectIdentifier($0.relationship), self.candidates(for: $0)) }) { $1 }
    for end in open {
      let found = candidates[ObjectIdentifier(end.relationship)] ?? []
      if found.count == 1 {
        let back = candidates[ObjectIdentifier(found[0].relationship)] ?? []
        if back.count == 1, back[0].relationship === end.relationship { connect(end, found[0]) }
      } else if found.count > 1, found.allSatisfy({ Self.mayLackModels($0) }) && Self.mayLackModels(end) {
        reportAmbiguity(of: end, found)
      }
    }
  }

  private mutating func reportAmbiguity(of end: End, _ candidates: [End]) {
    let names = candidates.map { "\($0.entity.name).\($0.relationship.name)" }.sorted()
    issues.append(
      SwiftDataError.Issue(
        entity: end.entity.name, property: end.relationship.name,
        message: """
          The inverse is ambiguous: \(names.joined(separator: " and ")) could be it. Write \
          @Relationship(inverse:) on one of them, with nil for a relationship that has no inverse.
          """))
  }

  private func isOpen(_ relationship: Schema.Relationship) -> Bool {
    relationship.inverseName == nil && relationship.inverseKeyPath == nil && !relationship.isOneWay
  }

  private mutating func connectWritten(_ end: End) {
    guard let keyPath = end.relationship.inverseKeyPath, let destination = destination(of: end.relationship) else {
      return
    }
    guard let path = destination.path(for: keyPath), path.count == 1,
      let inverse = destination.relationship(named: path[0])
    else {
      issues.append(
        .init(
          entity: end.entity.name, property: end.relationship.name,
          message: "The inverse \(keyPath) is no relationship of \(destination.name)."))
      return
    }
    guard let back = self.destination(of: inverse), back.isKind(of: end.entity) || end.entity.isKind(of: back) else {
      issues.append(
        .init(
          entity: end.entity.name, property: end.relationship.name,
          message: "The inverse \(destination.name).\(inverse.name) leads to \(inverse.destination), not back."))
      return
    }
    if inverse.isOneWay {
      issues.append(
        .init(
          entity: end.entity.name, property: end.relationship.name,
          message: "The inverse \(destination.name).\(inverse.name) says inverse: nil, so nothing leads back to it."))
      return
    }
    connect(end, End(entity: destination, relationship: inverse))
  }

  private func candidates(for end: End) -> [End] {
    guard let destination = destination(of: end.relationship) else { return [] }
    // Both sides have to be declared by the very types that they lead to. Of a relationship to a subclass, and one back
    // that the superclass has, each can hold what the other cannot.
    let relationships = destination.storedProperties.compactMap { $0 as? Schema.Relationship }
    let candidates = relationships.filter { candidate in
      guard candidate !== end.relationship, isOpen(candidate), self.destination(of: candidate) === end.entity else {
        return false
      }
      let areBothToMany = !candidate.isToOneRelationship && !end.relationship.isToOneRelationship
      let areBothToOne = candidate.isToOneRelationship && end.relationship.isToOneRelationship
      return !areBothToMany && !(areBothToOne && destination === end.entity)
    }.map { End(entity: destination, relationship: $0) }
    // Sides that may be empty are better candidates than required ones, which count only when there is no other.
    let better = candidates.filter { Self.mayLackModels(end) && Self.mayLackModels($0) }
    return better.isEmpty ? candidates.filter { Self.mayLackModels(end) || Self.mayLackModels($0) } : better
  }

  private static func mayLackModels(_ end: End) -> Bool {
    end.relationship.isOptional || !end.relationship.isToOneRelationship
  }

  private mutating func connect(_ end: End, _ other: End) {
    for (one, two) in [(end, other), (other, end)] {
      if let known = one.relationship.inverseName, known != two.relationship.name {
        issues.append(
          .init(
            entity: one.entity.name, property: one.relationship.name,
            message: """
              Both \(one.relationship.destination).\(known) and \(two.entity.name).\(two.relationship.name) have it as \
              their inverse. One relationship has one inverse.
              """))
        continue
      }
      one.relationship.inverseName = two.relationship.name
      if one.relationship.inverseKeyPath == nil { one.relationship.inverseKeyPath = two.relationship.keypath }
    }
  }
}
