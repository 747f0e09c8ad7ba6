/// The member keys of one to-many for several owners, read in one statement. The members of an owner are instantiated when the
/// program reads that relationship, or ahead of it when the program walks from owner to owner.
final class MemberGroup: FetchGroup {
  let property: any RelationshipProperty
  /// The group of the owners. The reference is weak: a strong one would keep the groups of all ancestors alive while the
  /// program walks down a tree.
  private weak var ownersGroup: FetchGroup?
  /// The identity map of the owners. The group may outlive it. The reference is safe, because only the map's graph uses it,
  /// for owners in the context: an owner that leaves the context drops its section.
  unowned(unsafe) let owners: IdentityMap
  private(set) var sections: [Section] = []
  /// The entity ordinals of the members: one element if all have the same entity, otherwise one for each.
  private var entityOrdinals: [Int32] = []

  /// The version of the stored memberships that the keys were read from; an outdated group is not used.
  let version: MembershipVersion

  /// The members of one owner.
  struct Section {
    let owner: Int64
    var positions: Range<Int>
  }

  /// Refers to the section of one owner in a group; an owner's storage has it until its members are instantiated.
  struct SectionReference {
    let group: MemberGroup
    let index: Int
  }

  init(
    of property: any RelationshipProperty, _ version: MembershipVersion, ownersGroup: FetchGroup?, owners: IdentityMap,
    members: IdentityMap
  ) {
    self.property = property
    self.version = version
    self.ownersGroup = ownersGroup
    self.owners = owners
    super.init(map: members)
  }

  /// Records in the owners' group that the program reads the members' rows, so that later read-aheads of this to-many fetch
  /// rows and not only keys.
  func recordTraversal() {
    ownersGroup?.recordTraversal(ofMembers: property)
  }

  /// Adds a member; the members of one owner are added consecutively.
  func add(_ member: RowKey, of owner: Int64) {
    let position = keys.count
    if sections.isEmpty || sections[sections.count - 1].owner != owner {
      sections.append(Section(owner: owner, positions: position..<position + 1))
    } else {
      sections[sections.count - 1].positions = sections[sections.count - 1].positions.lowerBound..<position + 1
    }
    let entity = Int32(member.entity)
    if position == 0 || entityOrdinals.count > 1 {
      entityOrdinals.append(entity)
    } else if entityOrdinals[0] != entity {
      entityOrdinals = Array(repeating: entityOrdinals[0], count: position) + [entity]
    }
    _ = add(member.key)
  }

  /// The entity ordinal of the member at a position.
  func entityOrdinal(at position: Int) -> Int {
    Int(entityOrdinals.count == 1 ? entityOrdinals[0] : entityOrdinals[position])
  }

  /// The indices of the sections that overlap a range of positions.
  func sectionIndices(overlapping positions: Range<Int>) -> Range<Int> {
    guard !positions.isEmpty else { return 0..<0 }
    return sectionIndex(of: positions.lowerBound)..<sectionIndex(of: positions.upperBound - 1) + 1
  }

  private func sectionIndex(of position: Int) -> Int {
    var range = sections.startIndex..<sections.endIndex
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = sections[middle].positions.lowerBound <= position ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The registered owner of a section, if it still waits for the members; nil after they were instantiated or the section
  /// was replaced.
  func waitingOwner(_ section: Int) -> (any PersistentModel)? {
    // Another program may have changed the row's class; then the map has an object of that class.
    guard let owner = owners.model(sections[section].owner), ModelRuntime.of(owner).has(property),
      let members = property.toMany?.memberKeys(of: owner), members.group === self, members.index == section
    else { return nil }
    return owner
  }
}

#if DEBUG
  extension MemberGroup {
    /// Descriptions of violated invariants.
    var brokenSections: [String] {
      var broken: [String] = []
      var end = 0
      for section in sections {
        if section.positions.lowerBound != end || section.positions.isEmpty {
          broken.append("Member group: the members of \(section.owner) have the positions \(section.positions)")
        }
        end = section.positions.upperBound
      }
      if end != keys.count { broken.append("Member group: \(keys.count) members have \(end) positions") }
      let ordinalCount = Set(entityOrdinals).count > 1 ? end : min(1, end)
      if entityOrdinals.count != ordinalCount {
        broken.append("Member group: \(entityOrdinals.count) entity ordinals of \(end) members")
      }
      return broken
    }
  }
#endif
