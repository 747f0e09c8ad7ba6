/// Infers the inverse of each relationship that does not declare one.
///
/// The rules are Apple's as far as they are known. A declared inverse counts. Otherwise there must be one candidate, of
/// which the relationship is the only candidate too. Two to-many relationships are never inferred to be inverses, nor are
/// two to-one relationships from a type to itself, nor two required to-one relationships. An optional to-one that is the
/// only relationship from a type to itself is its own inverse. When there are several equally good candidates, the schema
/// is refused; among required ones the relationship is left one-way.
///
/// When several relationships declare the same inverse, it belongs to the one that it declares itself, or else to the
/// first: superclasses come before their subclasses, then the order of the source counts. The others are one-way.
struct InverseInference {
  let entities: [Schema.Entity]
  private(set) var issues: [SwiftDataError.Issue] = []
  /// Messages about relationships that are valid and probably a mistake.
  private(set) var notices: [String] = []
  private let byName: [String: Schema.Entity]

  private struct End {
    let entity: Schema.Entity
    let relationship: Schema.Relationship
  }

  init(entities: [Schema.Entity]) {
    self.entities = entities
    byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }

  /// A declared inverse.
  private struct Claim {
    let end: End
    let inverse: End
  }

  /// The relationships, in an order that does not depend on the order of the schema's types.
  private var ends: [End] {
    let entities = entities.map { (depth: $0.superentities.count { _ in true }, entity: $0) }
      .sorted { ($0.depth, $0.entity.name) < ($1.depth, $1.entity.name) }.map(\.entity)
    return entities.flatMap { entity in
      entity.storedProperties.compactMap { $0 as? Schema.Relationship }.map { End(entity: entity, relationship: $0) }
    }
  }

  private func destination(of relationship: Schema.Relationship) -> Schema.Entity? {
    relationship.destinationType.flatMap { type in entities.first { $0.modelType == type } }
      ?? byName[relationship.destination]
  }

  mutating func run() {
    let ends = ends
    connectWritten(ends.compactMap { written(by: $0) })
    let open = ends.filter { isOpen($0.relationship) }
    let candidates = Dictionary(open.map { (ObjectIdentifier($0.relationship), self.candidates(for: $0)) }) { $1 }
    for end in open {
      let found = candidates[ObjectIdentifier(end.relationship)] ?? []
      if found.count == 1 {
        let back = candidates[ObjectIdentifier(found[0].relationship)] ?? []
        if back.count == 1, back[0].relationship === end.relationship { connect(end, found[0]) }
      } else if found.isEmpty, isLoneLinkToSelf(end) {
        connect(end, end)
        recordOwnInverse(end)
      } else if found.count > 1, found.allSatisfy({ Self.mayLackModels($0) }) && Self.mayLackModels(end) {
        reportAmbiguity(of: end, found)
      } else if found.count > 1,
        !end.relationship.isToOneRelationship || found.allSatisfy({ isOnlyCandidate(end, of: $0) })
      {
        recordUnclearInverse(of: end, found)
      }
    }
    recordManyToManys(open.filter { isOpen($0.relationship) })

    func isOnlyCandidate(_ end: End, of other: End) -> Bool {
      candidates[ObjectIdentifier(other.relationship)]?.count == 1
    }
  }

  private mutating func recordOwnInverse(_ end: End) {
    let (entity, name) = (end.entity.name, end.relationship.name)
    notices.append(
      """
      \(entity).\(name) is its own inverse: a.\(name) = b also sets b.\(name) = a. If the models form a chain, write \
      @Relationship(inverse: nil).
      """)
  }

  private mutating func recordUnclearInverse(of end: End, _ candidates: [End]) {
    let names = candidates.map { "\($0.entity.name).\($0.relationship.name)" }.sorted()
    notices.append(
      """
      \(end.entity.name).\(end.relationship.name) has no inverse, and only code that sets it fills it: \
      \(names.joined(separator: " and ")) could be it. Write @Relationship(inverse:) on one of them, with nil for a \
      relationship that has no inverse.
      """)
  }

  /// Adds a notice for each two to-manys between the same entities without an inverse.
  private mutating func recordManyToManys(_ open: [End]) {
    let toManys = open.filter { !$0.relationship.isToOneRelationship }
    for (index, end) in toManys.enumerated() {
      for other in toManys.dropFirst(index + 1)
      where destination(of: end.relationship) === other.entity && destination(of: other.relationship) === end.entity {
        let (name, otherName) = (
          "\(end.entity.name).\(end.relationship.name)", "\(other.entity.name).\(other.relationship.name)"
        )
        notices.append(
          """
          \(name) and \(otherName) lead to each other and are two one-way relationships. If they are two sides of one, \
          write @Relationship(inverse: \\\(otherName)) on the first; otherwise write inverse: nil on both.
          """)
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

  /// The declared inverse of a relationship. Nil when there is none, and when it is invalid, which adds an issue.
  private mutating func written(by end: End) -> Claim? {
    guard let keyPath = end.relationship.inverseKeyPath, let destination = destination(of: end.relationship) else {
      return nil
    }
    guard let path = destination.path(for: keyPath), path.count == 1,
      let inverse = destination.relationship(named: path[0])
    else {
      refuse(end, "The inverse \(destination.sourceName(of: keyPath)) is no relationship of \(destination.name).")
      return nil
    }
    guard let back = self.destination(of: inverse), back.isKind(of: end.entity) || end.entity.isKind(of: back) else {
      refuse(end, "The inverse \(destination.name).\(inverse.name) leads to \(inverse.destination), not back.")
      return nil
    }
    if inverse.isOneWay {
      refuse(end, "The inverse \(destination.name).\(inverse.name) says inverse: nil, so nothing leads back to it.")
      return nil
    }
    return Claim(end: end, inverse: End(entity: destination, relationship: inverse))
  }

  private mutating func refuse(_ end: End, _ message: String) {
    issues.append(.init(entity: end.entity.name, property: end.relationship.name, message: message))
  }

  private func connectWritten(_ claims: [Claim]) {
    // A subclass's relationship is not the inverse of a relationship to its superclass: a schema of other types may lack the
    // subclass, and the choice must be the same in every schema.
    let claims = claims.filter { destination(of: $0.inverse.relationship)?.isKind(of: $0.end.entity) == true }
    let named = Dictionary(claims.map { (ObjectIdentifier($0.end.relationship), $0.inverse.relationship) }) { $1 }
    let claimed = Set(claims.map { ObjectIdentifier($0.inverse.relationship) })
    func isMutual(_ claim: Claim) -> Bool {
      named[ObjectIdentifier(claim.inverse.relationship)] === claim.end.relationship
    }
    /// Whether another relationship declares this claim's relationship as its inverse.
    func isClaimed(_ claim: Claim) -> Bool { claimed.contains(ObjectIdentifier(claim.end.relationship)) }
    let others = claims.filter { !isMutual($0) }
    for claim in claims.filter(isMutual) + others.filter(isClaimed) + others.filter({ !isClaimed($0) }) {
      let relationships = [claim.end.relationship, claim.inverse.relationship]
      if relationships.allSatisfy({ $0.inverseName == nil }) { connect(claim.end, claim.inverse) }
    }
  }

  /// Whether a relationship is an optional to-one, and the only relationship from a type to itself.
  private func isLoneLinkToSelf(_ end: End) -> Bool {
    guard end.relationship.isToOneRelationship, end.relationship.isOptional,
      destination(of: end.relationship) === end.entity
    else { return false }
    return end.entity.storedProperties.allSatisfy { property in
      guard let other = property as? Schema.Relationship else { return true }
      return other === end.relationship || destination(of: other) !== end.entity
    }
  }

  private func candidates(for end: End) -> [End] {
    guard let destination = destination(of: end.relationship) else { return [] }
    // Each side must be declared by the exact destination type of the other one. A relationship to a subclass, and one back
    // from the superclass, can each have members that the other cannot have.
    let relationships = destination.storedProperties.compactMap { $0 as? Schema.Relationship }
    let candidates = relationships.filter { candidate in
      guard candidate !== end.relationship, isOpen(candidate), self.destination(of: candidate) === end.entity else {
        return false
      }
      let areBothToMany = !candidate.isToOneRelationship && !end.relationship.isToOneRelationship
      let areBothToOne = candidate.isToOneRelationship && end.relationship.isToOneRelationship
      return !areBothToMany && !(areBothToOne && destination === end.entity)
    }.map { End(entity: destination, relationship: $0) }
    // Sides that may be empty are better candidates than required ones, which count only when there are no others.
    let better = candidates.filter { Self.mayLackModels(end) && Self.mayLackModels($0) }
    return better.isEmpty ? candidates.filter { Self.mayLackModels(end) || Self.mayLackModels($0) } : better
  }

  private static func mayLackModels(_ end: End) -> Bool {
    end.relationship.isOptional || !end.relationship.isToOneRelationship
  }

  private func connect(_ end: End, _ other: End) {
    for (one, two) in [(end, other), (other, end)] {
      one.relationship.inverseName = two.relationship.name
      if one.relationship.inverseKeyPath == nil { one.relationship.inverseKeyPath = two.relationship.keypath }
    }
  }
}
