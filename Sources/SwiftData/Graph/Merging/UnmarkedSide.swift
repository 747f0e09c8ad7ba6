/// One side of a link between two to-manys, when only the other side records that the link is added or removed: the two
/// sides were read at different revisions of the store, one after the link changed and one before.
struct UnmarkedSide {
  /// The model whose to-many does not record the change.
  let model: any PersistentModel
  let property: any ToManyRelationship
  /// The model that is linked to that to-many, or unlinked from it.
  let other: any PersistentModel
  let isLink: Bool

  private struct Link: Hashable {
    let model: ObjectIdentifier
    let property: Int
    let other: ObjectIdentifier

    init(_ model: any PersistentModel, _ property: any RelationshipProperty, _ other: any PersistentModel) {
      self.model = ObjectIdentifier(model)
      self.property = property.index
      self.other = ObjectIdentifier(other)
    }
  }

  /// The unmarked sides of the links between persistent models that some changes add or remove.
  static func sides(of memberships: [SavePlan.Membership]) -> [UnmarkedSide] {
    func isSaved(_ model: any PersistentModel) -> Bool { model._$withState { $0.status == .persistent } }
    var described: Set<Link> = []
    var sides: [UnmarkedSide] = []
    for membership in memberships {
      let (owner, property, change) = (membership.owner, membership.property, membership.change)
      guard isSaved(owner), let inverse = property.inverse(for: owner)?.toMany else { continue }
      for (members, isLink) in [(change.added, true), (change.removed, false)] {
        for member in members where isSaved(member) {
          described.insert(Link(owner, property, member))
          sides.append(UnmarkedSide(model: member, property: inverse, other: owner, isLink: isLink))
        }
      }
    }
    return sides.filter { !described.contains(Link($0.model, $0.property, $0.other)) }
  }
}
