/// How the members of a to-many differ from those that the store has: who was linked and unlinked, and whether somebody
/// was moved.
///
/// It works on the members as objects, and needs neither their rows nor, for links and unlinks, to know who else is a
/// member. All that a change costs grows with the change, and only a new order or an unlink of a member that is in
/// memory makes it keep the order that the store has.
final class MemberChanges {
  private struct Lists {
    /// Members that the store does not have, in the order in which they came. While the members are not read, also one
    /// that went and came back, which stands at the end then.
    var linked: [AnyObject] = []
    /// Members that the store has and that are none any more.
    var unlinked: [AnyObject] = []
    /// The members in the order that the store has, from when that is needed.
    var stored: [AnyObject]?
  }

  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) private var lists = Lists()
  /// Whether members that the store has may stand in another order than there.
  private var mayBeMoved = false

  var linked: [AnyObject] { lists.linked }
  var unlinked: [AnyObject] { lists.unlinked }

  // MARK: Changes

  /// Notes that a member is about to be put at the end.
  ///
  /// - Parameter isRead: Whether the members are in memory.
  @inline(__always)
  func link(_ member: AnyObject, isRead: Bool) {
    // Done for each new member, and mostly none has left.
    if lists.unlinked.isEmpty { lists.linked.append(member) } else { linkAgain(member, isRead: isRead) }
  }

  /// Notes that models are about to be put at a place among the members.
  ///
  /// - Parameter members: All members that there are before.
  func link(_ added: [AnyObject], at place: Int, among members: [AnyObject]) {
    let isAtEnd = place == members.count
    if !isAtEnd { keepOrder(of: members) }
    for member in added { link(member, isRead: true) }
    if !isAtEnd { mayBeMoved = true }
  }

  private func linkAgain(_ member: AnyObject, isRead: Bool) {
    if let place = lists.unlinked.place(of: member) {
      lists.unlinked.remove(at: place)
      if isRead {
        mayBeMoved = true
        return
      }
    }
    lists.linked.append(member)
  }

  /// Takes back that a member went, while the members are not read.
  ///
  /// - Returns: Whether it had gone.
  func cancelUnlink(of member: AnyObject) -> Bool {
    guard let place = lists.unlinked.place(of: member) else { return false }
    lists.unlinked.remove(at: place)
    return true
  }

  /// Notes that a member is about to go.
  ///
  /// - Parameters:
  ///   - members: All members that there are before; nil when they are not read.
  ///   - isStored: Whether the store can have it.
  func unlink(_ member: AnyObject, from members: [AnyObject]?, isStored: Bool) {
    guard let members else {
      lists.linked.removeAll { $0 === member }
      if isStored { lists.unlinked.append(member) }
      return
    }
    keepOrder(of: members)
    if let place = lists.linked.place(of: member) {
      lists.linked.remove(at: place)
    } else {
      lists.unlinked.append(member)
    }
  }

  /// Notes that there are about to be other members, or the same in another order.
  ///
  /// - Parameter members: All members that there are before.
  func set(_ members: [AnyObject], to new: [AnyObject]) {
    if lists.unlinked.isEmpty, new.count >= members.count, zip(members, new).allSatisfy({ $0 === $1 }) {
      lists.linked += new[members.count...]
      return
    }
    keepOrder(of: members)
    compare(new)
  }

  /// Forgets members that others deleted.
  func drop(where isGone: (AnyObject) -> Bool) {
    lists.linked.removeAll(where: isGone)
  }

  /// Forgets that a member came or went, while the members are not read: the store has done the same.
  func complete(_ member: AnyObject) {
    lists.linked.removeAll { $0 === member }
    lists.unlinked.removeAll { $0 === member }
  }

  /// Puts another object, or nothing, in the place of one that was linked.
  func replace(_ member: AnyObject, by replacement: AnyObject?) {
    guard let place = lists.linked.firstIndex(where: { $0 === member }) else { return }
    if let replacement, !lists.linked.contains(where: { $0 === replacement }) {
      lists.linked[place] = replacement
    } else {
      lists.linked.remove(at: place)
    }
  }

  // MARK: What the store has

  /// The members in the order that the store has, where that was kept.
  var order: [AnyObject]? { lists.stored }

  /// Whether members stand in another order than in the store.
  var isReordered: Bool { mayBeMoved }

  /// Whether members that were moved here were also moved in what the store has now.
  ///
  /// - Parameters:
  ///   - members: All members.
  ///   - stored: Those that the store has now.
  func isReordered(_ members: [AnyObject], _ stored: [AnyObject]) -> Bool {
    guard mayBeMoved, let before = lists.stored else { return false }
    let common = Self.identities(before).intersection(Self.identities(stored))
    func isCommon(_ member: AnyObject) -> Bool { common.contains(ObjectIdentifier(member)) }
    return !before.filter(isCommon).elementsEqual(stored.filter(isCommon), by: ===)
  }

  /// Whether the members are those that the store has.
  ///
  /// - Parameters:
  ///   - members: All members; nil when they are not read.
  ///   - member: One that may stand elsewhere.
  func isUndone(_ members: [AnyObject]?, around member: AnyObject?) -> Bool {
    guard lists.linked.isEmpty, lists.unlinked.isEmpty else { return false }
    guard let members, let stored = lists.stored else { return !mayBeMoved }
    return members.filter { $0 !== member }.elementsEqual(stored.filter { $0 !== member }, by: ===)
  }

  /// The members that there are, when the store was asked for its own.
  func members(with stored: [AnyObject]) -> [AnyObject] {
    let changed = Set((lists.linked + lists.unlinked).map(ObjectIdentifier.init))
    let members = stored.filter { !changed.contains(ObjectIdentifier($0)) } + lists.linked
    lists.stored = stored
    compare(members)
    if lists.unlinked.isEmpty, !mayBeMoved { lists.stored = nil }
    return members
  }

  /// The members that there are, when others changed those that the store has: what they added and removed is added and
  /// removed, and what is pending stays so.
  ///
  /// - Parameters:
  ///   - members: The members that there were.
  ///   - stored: Those that the store has now.
  ///   - hasLeft: Whether a pending change of a member took it away.
  func merged(_ members: [AnyObject], with stored: [AnyObject], hasLeft: (AnyObject) -> Bool) -> [AnyObject] {
    let base = lists.stored ?? saved(among: members)
    let (known, current) = (Self.identities(base), Self.identities(members))
    let theirs = stored.filter { member in
      let identity = ObjectIdentifier(member)
      return known.contains(identity) || current.contains(identity) || !hasLeft(member)
    }
    // Who was linked where others had linked it before, of which it was not told, is there twice.
    let mine = current.count == members.count ? members : Self.lastPlaces(members)
    let merged = OrderedMerge.merge(
      base: base, mine: mine, theirs: theirs, isMineFirst: false, identity: ObjectIdentifier.init)
    lists.stored = stored
    compare(merged)
    return merged
  }

  /// The members that get new places before and behind those that keep theirs in the store; nil when it is just those that
  /// were linked, behind.
  ///
  /// - Parameter members: All members; nil when they are not read.
  func moved(among members: [AnyObject]?) -> (first: ArraySlice<AnyObject>, last: ArraySlice<AnyObject>)? {
    guard mayBeMoved, let members else { return nil }
    let kept = lists.stored.map { Self.longestRun(of: members, inOrderOf: $0) } ?? 0..<0
    return (members[..<kept.lowerBound], members[kept.upperBound...])
  }

  /// The longest run of members that is in the order of the store.
  private static func longestRun(of members: [AnyObject], inOrderOf stored: [AnyObject]) -> Range<Int> {
    if let run = stored.run(to: members)?.places, members.count > stored.count {
      let (before, after) = (0..<run.lowerBound, run.upperBound..<members.count)
      return before.count < after.count ? after : before
    }
    var ranks = [ObjectIdentifier: Int](minimumCapacity: stored.count)
    for (rank, member) in stored.enumerated() { ranks[ObjectIdentifier(member)] = rank }
    var (longest, run) = (0..<0, 0..<0)
    var last = -1
    for (place, member) in members.enumerated() {
      guard let rank = ranks[ObjectIdentifier(member)] else {
        run = place + 1..<place + 1
        last = -1
        continue
      }
      run = rank > last ? run.lowerBound..<place + 1 : place..<place + 1
      last = rank
      if run.count > longest.count { longest = run }
    }
    return longest
  }

  /// Works out the changes anew, from the members that there are about to be.
  private func compare(_ members: [AnyObject]) {
    let stored = lists.stored ?? []
    let (known, current) = (Self.identities(stored), Self.identities(members))
    lists.linked = members.filter { !known.contains(ObjectIdentifier($0)) }
    lists.unlinked = stored.filter { !current.contains(ObjectIdentifier($0)) }
    mayBeMoved = !Self.keepsOrder(members, of: stored, known, current)
  }

  /// Keeps the order that the store has, while the members still tell it.
  private func keepOrder(of members: [AnyObject]) {
    if lists.stored == nil { lists.stored = saved(among: members) }
  }

  /// The members that the store has, in its order, while none was unlinked or moved: what is linked stands at the end.
  private func saved(among members: [AnyObject]) -> [AnyObject] {
    if lists.linked.isEmpty { return members }
    let linked = Self.identities(lists.linked)
    return members.filter { !linked.contains(ObjectIdentifier($0)) }
  }

  /// Each model once, where it stands last.
  private static func lastPlaces(_ models: [AnyObject]) -> [AnyObject] {
    var seen = Set<ObjectIdentifier>(minimumCapacity: models.count)
    return models.reversed().filter { seen.insert(ObjectIdentifier($0)).inserted }.reversed()
  }

  private static func identities(_ models: [AnyObject]) -> Set<ObjectIdentifier> {
    var identities = Set<ObjectIdentifier>(minimumCapacity: models.count)
    for model in models { identities.insert(ObjectIdentifier(model)) }
    return identities
  }

  /// Whether members come as they did before, and those that are new behind them.
  ///
  /// - Parameters:
  ///   - known: Those that there were before.
  ///   - current: Those that there are.
  private static func keepsOrder(
    _ members: [AnyObject], of before: [AnyObject], _ known: Set<ObjectIdentifier>, _ current: Set<ObjectIdentifier>
  ) -> Bool {
    var place = 0
    for member in before where current.contains(ObjectIdentifier(member)) {
      guard place < members.count, members[place] === member else { return false }
      place += 1
    }
    return members[place...].allSatisfy { !known.contains(ObjectIdentifier($0)) }
  }
}
