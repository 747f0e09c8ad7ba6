/// The members that a to-many of several owners has in the store, owner by owner.
///
/// They are made when somebody asks an owner for them, or along with those of an owner before.
final class MemberGroup: FetchGroup {
  let property: any RelationshipProperty
  /// The group in which the owners are walked. The reference is weak: otherwise groups that lead to groups would last
  /// as long as any path that somebody walked.
  private weak var source: FetchGroup?
  /// Where the owners are, who need not be there any more. As `map`, it is asked by its graph alone: who leaves the
  /// context forgets what it awaits.
  unowned(unsafe) let owners: IdentityMap
  private(set) var sections: [(owner: Int64, places: Range<Int>)] = []
  /// The positions of the members' entities in the schema: one for all, or as many as there are members.
  private var entities: [Int32] = []

  /// What the group has read, which it is to be asked for no more when others have changed that.
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

  /// Tells that somebody reads the members.
  func recordReading() {
    source?.recordReading(ofMembers: property)
  }

  /// Adds a member; those of one owner come one after the other.
  func add(_ member: RowKey, of owner: Int64) {
    let place = keys.count
    if sections.isEmpty || sections[sections.count - 1].owner != owner {
      sections.append((owner, place..<place + 1))
    } else {
      sections[sections.count - 1].places = sections[sections.count - 1].places.lowerBound..<place + 1
    }
    let entity = Int32(member.entity)
    if entities.count == 1, entities[0] != entity {
      entities = Array(repeating: entities[0], count: place)
    }
    if entities.count != 1 || place == 1 { entities.append(entity) }
    _ = add(member.key)
  }

  /// The position of a member's entity in the schema.
  func entity(at place: Int) -> Int {
    Int(entities.count == 1 ? entities[0] : entities[place])
  }

  /// The sections that have a part in some places.
  func sections(in places: Range<Int>) -> Range<Int> {
    guard !places.isEmpty else { return 0..<0 }
    return section(of: places.lowerBound)..<section(of: places.upperBound - 1) + 1
  }

  private func section(of place: Int) -> Int {
    var range = sections.startIndex..<sections.endIndex
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = sections[middle].places.lowerBound <= place ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The owner of a section when it still waits for the section's members.
  func waitingOwner(_ section: Int) -> (any PersistentModel)? {
    // The row may have been made one of another class since, whose object is in the map now.
    guard let owner = owners.model(sections[section].owner), ModelRuntime.of(owner).has(property),
      let awaited = property.toMany?.awaited(of: owner), awaited.group === self, awaited.index == section
    else { return nil }
    return owner
  }
}

#if DEBUG
  extension MemberGroup {
    /// What is wrong with the sections, if anything is.
    var brokenSections: [String] {
      var broken: [String] = []
      var end = 0
      for section in sections {
        if section.places.lowerBound != end || section.places.isEmpty {
          broken.append("Member group: the members of \(section.owner) have the places \(section.places)")
        }
        end = section.places.upperBound
      }
      if end != keys.count { broken.append("Member group: \(keys.count) members have \(end) places") }
      if ![min(1, end), end].contains(entities.count) {
        broken.append("Member group: \(entities.count) entities of \(end) members")
      }
      return broken
    }
  }
#endif

/// The models of some members while their rows are read: rows come in the order of their keys, and owners want their
/// members together.
final class MemberRows {
  struct Member {
    var key: Int64
    var place: Int
    /// Whether somebody waits for it, who will hold it.
    var isAwaited: Bool
  }

  enum Presence {
    case lacking
    case unread(any PersistentModel)
    case read(any PersistentModel)
  }

  /// In the order of their keys.
  private var members: [Member]
  private let first: Int
  /// What `members` says of the row that came last.
  @exclusivity(unchecked) private var cursor = 0
  /// By place, from `first` to the last of the members, who come in the order of their places. Each has a reference of
  /// its own, which whoever takes the model takes over.
  private let models: UnsafeMutableBufferPointer<Unmanaged<AnyObject>?>

  /// - Parameter first: The first of all places.
  init(_ members: [Member], first: Int) {
    self.first = first
    self.members = members.sorted { $0.key < $1.key }
    let end = members.last.map { $0.place + 1 } ?? first
    models = .allocate(capacity: end - first)
    models.initialize(repeating: nil)
  }

  deinit {
    for model in models { model?.release() }
    models.deallocate()
  }

  /// Takes what is in memory already.
  ///
  /// - Returns: The keys of the rows to read, in ascending order.
  func keep(_ presence: (Int64) -> Presence) -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(members.count)
    for member in members {
      switch presence(member.key) {
      case .read(let model): put(model, at: member.place)
      case .unread(let model):
        put(model, at: member.place)
        if keys.last != member.key { keys.append(member.key) }
      case .lacking: if member.isAwaited, keys.last != member.key { keys.append(member.key) }
      }
    }
    return keys
  }

  /// The first place of the member with a key.
  func place(of key: Int64) -> Int? {
    // Rows mostly come in this order.
    if cursor >= members.count || members[cursor].key != key { cursor = firstIndex(of: key) }
    return cursor < members.count && members[cursor].key == key ? members[cursor].place : nil
  }

  private func firstIndex(of key: Int64) -> Int {
    var range = 0..<members.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = members[middle].key < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Puts the model of the row that `place(of:)` was asked for at all of its places.
  func put(_ model: any PersistentModel, _ key: Int64) {
    while cursor < members.count, members[cursor].key == key {
      put(model, at: members[cursor].place)
      cursor += 1
    }
  }

  private func put(_ model: any PersistentModel, at place: Int) {
    models[place - first]?.release()
    models[place - first] = .passRetained(model)
  }

  /// The models at some places, which members have; those that have no row any more are missing.
  func take(_ places: Range<Int>) -> [AnyObject] {
    // See `ObjectBuffer.take`.
    if places.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: places.count) { buffer, count in
      for place in places {
        guard let model = models[place - first] else { continue }
        // The reference moves along, so that the model itself is not touched. The buffer has room for all places, and
        // so an address.
        (buffer.baseAddress.unsafelyUnwrapped + count).initialize(to: model.takeRetainedValue())
        models[place - first] = nil
        count += 1
      }
    }
  }
}
