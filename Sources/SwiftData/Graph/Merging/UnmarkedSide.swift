/// One side of a link between two to-manys, where only the other side says that the link comes or goes: the two were read
/// in different states of the store, and one knew already, or did not know yet.
struct UnmarkedSide {
  /// The model whose to-many says nothing of it.
  let model: any PersistentModel
  let property: any ToManyRelationship
  /// What comes to that to-many, or leaves it.
  let other: any PersistentModel
  let isLink: Bool

  private struct Place: Hashable {
    let model: ObjectIdentifier
    let property: Int
    let other: ObjectIdentifier

    init(_ model: any PersistentModel, _ property: any RelationshipProperty, _ other: any PersistentModel) {
      self.model = ObjectIdentifier(model)
      self.property = property.index
      self.other = ObjectIdentifier(other)
    }
  }

  /// Those of the links between saved models that some changes make or break.
  static func sides(of memberships: [SavePlan.Membership]) -> [UnmarkedSide] {
    func isSaved(_ model: any PersistentModel) -> Bool { model._$withState { $0.status == .persistent } }
    var described: Set<Place> = []
    var sides: [UnmarkedSide] = []
    for membership in memberships {
      let (owner, property, change) = (membership.owner, membership.property, membership.change)
      guard isSaved(owner), let inverse = property.inverse(for: owner)?.toMany else { continue }
      for (members, isLink) in [(change.added, true), (change.removed, false)] {
        for member in members where isSaved(member) {
          described.insert(Place(owner, property, member))
          sides.append(UnmarkedSide(model: member, property: inverse, other: owner, isLink: isLink))
        }
      }
    }
    return sides.filter { !described.contains(Place($0.model, $0.property, $0.other)) }
  }
}
