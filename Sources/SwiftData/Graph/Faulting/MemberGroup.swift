/// The keys of the members that a to-many of several owners has in the store, grouped by owner.
///
/// The members are made when the program reads an owner's relationship, or when it has read those of a previous owner.
final class MemberGroup: FetchGroup {
  let property: any RelationshipProperty
  /// The group of the owners. The reference is weak: otherwise a chain of groups would live as long as the program
  /// enumerates any path through them.
  private weak var source: FetchGroup?
  /// The map of the owners, which may be released. As with `map`, only its graph uses it: a model that leaves the context
  /// discards its section.
  unowned(unsafe) let owners: IdentityMap
  private(set) var sections: [(owner: Int64, positions: Range<Int>)] = []
  /// The positions of the members' entities in the schema: one for all members, or one for each.
  private var entities: [Int32] = []

  /// The state of the store that the group was read from; the group is not used once that is outdated.
  let reading: MemberReading

  /// The members of one owner.
  struct Section {
    let group: MemberGroup
    let index: Int
  }

  init(
    of property: any RelationshipProperty, _ reading: MemberReading, source: FetchGroup?, owners: IdentityMap,
    members: IdentityMap
  ) {
    self.property = property
    self.reading = reading
    self.source = source
    self.owners = owners
    super.init(map: members)
  }

  /// Records that the program reads the members.
  func recordReading() {
    source?.recordReading(ofMembers: property)
  }

  /// Adds a member; the members of one owner are added consecutively.
  func add(_ member: RowKey, of owner: Int64) {
    let position = keys.count
    if sections.isEmpty || sections[sections.count - 1].owner != owner {
      sections.append((owner, position..<position + 1))
    } else {
      sections[sections.count - 1].positions = sections[sections.count - 1].positions.lowerBound..<position + 1
    }
    let entity = Int32(member.entity)
    if entities.count == 1, entities[0] != entity {
      entities = Array(repeating: entities[0], count: position)
    }
    if entities.count != 1 || position == 1 { entities.append(entity) }
    _ = add(member.key)
  }

  /// The position of a member's entity in the schema.
  func entity(at position: Int) -> Int {
    Int(entities.count == 1 ? entities[0] : entities[position])
  }

  /// The sections that overlap some positions.
  func sections(in positions: Range<Int>) -> Range<Int> {
    guard !positions.isEmpty else { return 0..<0 }
    return section(of: positions.lowerBound)..<section(of: positions.upperBound - 1) + 1
  }

  private func section(of position: Int) -> Int {
    var range = sections.startIndex..<sections.endIndex
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = sections[middle].positions.lowerBound <= position ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The owner of a section if the section's members are not made yet.
  func unfilledOwner(_ section: Int) -> (any PersistentModel)? {
    // The row may have changed to another class since, whose object is in the map now.
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
      if ![min(1, end), end].contains(entities.count) {
        broken.append("Member group: \(entities.count) entities of \(end) members")
      }
      return broken
    }
  }
#endif

/// The models of some members while their rows are read: rows arrive in the order of their keys, and have to be grouped by
/// owner.
final class MemberRows {
  struct Member {
    var key: Int64
    var position: Int
    /// Whether an owner will retain it.
    var isNeeded: Bool
  }

  enum Presence {
    case lacking
    case unread(any PersistentModel)
    case read(any PersistentModel)
  }

  /// In the order of their keys.
  private var members: [Member]
  private let first: Int
  /// The index in `members` for the row that arrived last.
  @exclusivity(unchecked) private var cursor = 0
  /// By position, from `first` to that of the last member; `members` is passed in the order of positions. Each has a
  /// reference of its own, which `take` transfers.
  private let models: UnsafeMutableBufferPointer<Unmanaged<AnyObject>?>

  /// - Parameter first: The lowest position.
  init(_ members: [Member], first: Int) {
    self.first = first
    self.members = members.sorted { $0.key < $1.key }
    let end = members.last.map { $0.position + 1 } ?? first
    models = .allocate(capacity: end - first)
    models.initialize(repeating: nil)
  }

  deinit {
    for model in models { model?.release() }
    models.deallocate()
  }

  /// Retains the models that are in memory already.
  ///
  /// - Returns: The keys of the rows to read, in ascending order.
  func keep(_ presence: (Int64) -> Presence) -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(members.count)
    for member in members {
      switch presence(member.key) {
      case .read(let model): put(model, at: member.position)
      case .unread(let model):
        put(model, at: member.position)
        if keys.last != member.key { keys.append(member.key) }
      case .lacking: if member.isNeeded, keys.last != member.key { keys.append(member.key) }
      }
    }
    return keys
  }

  /// The first position of the member with a key.
  func position(of key: Int64) -> Int? {
    // Rows usually arrive in this order.
    if cursor >= members.count || members[cursor].key != key { cursor = firstIndex(of: key) }
    return cursor < members.count && members[cursor].key == key ? members[cursor].position : nil
  }

  private func firstIndex(of key: Int64) -> Int {
    var range = 0..<members.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = members[middle].key < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Stores the model of the row that `position(of:)` found, at all of its positions.
  func put(_ model: any PersistentModel, _ key: Int64) {
    while cursor < members.count, members[cursor].key == key {
      put(model, at: members[cursor].position)
      cursor += 1
    }
  }

  private func put(_ model: any PersistentModel, at position: Int) {
    models[position - first]?.release()
    models[position - first] = .passRetained(model)
  }

  /// Removes and returns the models at some positions of the members; members without a row are left out.
  func take(_ positions: Range<Int>) -> [AnyObject] {
    // See `ObjectBuffer.take`.
    if positions.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: positions.count) { buffer, count in
      for position in positions {
        guard let model = models[position - first] else { continue }
        // The reference is moved, so that the model is not accessed. The buffer has the capacity for all positions, so it
        // has an address.
        (buffer.baseAddress.unsafelyUnwrapped + count).initialize(to: model.takeRetainedValue())
        models[position - first] = nil
        count += 1
      }
    }
  }
}
