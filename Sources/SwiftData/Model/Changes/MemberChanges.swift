/// The difference between a to-many's members in memory and in the store: linked members, unlinked members, and whether
/// the order changed.
/// It compares members as objects. It does not read their rows, and a link or an unlink does not need the other members.
/// The cost grows with the change. The stored order is copied only for a new order or when a member in memory is unlinked.
final class MemberChanges {
  private struct Lists {
    /// Members that the store does not have, in the order in which they were linked. While the members are not read, the
    /// list also has members that were unlinked and linked again, which move to the end.
    var linked: [AnyObject] = []
    /// Members of the store that were unlinked.
    var unlinked: [AnyObject] = []
    /// The members in the order of the store; nil until that order is needed.
    var stored: [AnyObject]?
  }

  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) private var lists = Lists()
  /// Whether the order of the members that the store has may differ from the store's.
  private var mayBeMoved = false

  var linked: [AnyObject] { lists.linked }
  var unlinked: [AnyObject] { lists.unlinked }

  // MARK: Changes

  /// Records that a member is about to be appended.
  ///
  /// - Parameter isRead: Whether the members are in memory.
  @inline(__always)
  func link(_ member: AnyObject, isRead: Bool) {
    // Runs for each new member; usually none was unlinked before.
    if lists.unlinked.isEmpty { lists.linked.append(member) } else { linkAgain(member, isRead: isRead) }
  }

  /// Records that models are about to be inserted at a position.
  ///
  /// - Parameter members: All members before the change.
  func link(_ added: [AnyObject], at position: Int, among members: [AnyObject]) {
    let isAtEnd = position == members.count
    if !isAtEnd { copyOrder(of: members) }
    for member in added { link(member, isRead: true) }
    if !isAtEnd { mayBeMoved = true }
  }

  private func linkAgain(_ member: AnyObject, isRead: Bool) {
    if let position = lists.unlinked.position(of: member) {
      lists.unlinked.remove(at: position)
      if isRead {
        mayBeMoved = true
        return
      }
    }
    lists.linked.append(member)
  }

  /// Removes a member from the unlinked members, while the members are not read.
  ///
  /// - Returns: Whether the member was unlinked.
  func cancelUnlink(of member: AnyObject) -> Bool {
    guard let position = lists.unlinked.position(of: member) else { return false }
    lists.unlinked.remove(at: position)
    return true
  }

  /// Records that a member is about to be removed.
  ///
  /// - Parameters:
  ///   - members: All members before the change; nil when they are not read.
  ///   - isStored: Whether the store can have it as a member.
  func unlink(_ member: AnyObject, from members: [AnyObject]?, isStored: Bool) {
    guard let members else {
      lists.linked.removeAll { $0 === member }
      if isStored { lists.unlinked.append(member) }
      return
    }
    copyOrder(of: members)
    if let position = lists.linked.position(of: member) {
      lists.linked.remove(at: position)
    } else {
      lists.unlinked.append(member)
    }
  }

  /// Records that all members are about to be replaced or reordered.
  ///
  /// - Parameter members: All members before the change.
  func set(_ members: [AnyObject], to new: [AnyObject]) {
    if lists.unlinked.isEmpty, new.count >= members.count, zip(members, new).allSatisfy({ $0 === $1 }) {
      lists.linked += new[members.count...]
      return
    }
    copyOrder(of: members)
    compare(new)
  }

  /// Removes linked members whose rows are deleted.
  func drop(where isGone: (AnyObject) -> Bool) {
    lists.linked.removeAll(where: isGone)
  }

  /// Removes the recorded link or unlink of a member, while the members are not read: the store has the same change.
  func complete(_ member: AnyObject) {
    lists.linked.removeAll { $0 === member }
    lists.unlinked.removeAll { $0 === member }
  }

  /// Replaces a linked member by another object, or removes it.
  func replace(_ member: AnyObject, by replacement: AnyObject?) {
    guard let position = lists.linked.firstIndex(where: { $0 === member }) else { return }
    if let replacement, !lists.linked.contains(where: { $0 === replacement }) {
      lists.linked[position] = replacement
    } else {
      lists.linked.remove(at: position)
    }
  }

  // MARK: The members in the store

  /// The members in the order of the store, if that order was copied.
  var order: [AnyObject]? { lists.stored }

  /// Whether the order of the members differs from the store's.
  var isReordered: Bool { mayBeMoved }

  /// Whether both this context and the store reordered the members.
  ///
  /// - Parameters:
  ///   - members: All members.
  ///   - stored: The members that the store has now.
  func isReordered(_ members: [AnyObject], _ stored: [AnyObject]) -> Bool {
    guard mayBeMoved, let before = lists.stored else { return false }
    let common = Self.identities(before).intersection(Self.identities(stored))
    func isCommon(_ member: AnyObject) -> Bool { common.contains(ObjectIdentifier(member)) }
    return !before.filter(isCommon).elementsEqual(stored.filter(isCommon), by: ===)
  }

  /// Whether the members equal those of the store.
  ///
  /// - Parameters:
  ///   - members: All members; nil when they are not read.
  ///   - member: A member whose position is ignored.
  func isUndone(_ members: [AnyObject]?, around member: AnyObject?) -> Bool {
    guard lists.linked.isEmpty, lists.unlinked.isEmpty else { return false }
    guard let members, let stored = lists.stored else { return !mayBeMoved }
    return members.filter { $0 !== member }.elementsEqual(stored.filter { $0 !== member }, by: ===)
  }

  /// The members in memory, given the stored members: pending links and unlinks are applied.
  func members(with stored: [AnyObject]) -> [AnyObject] {
    let changed = Set((lists.linked + lists.unlinked).map(ObjectIdentifier.init))
    let members = stored.filter { !changed.contains(ObjectIdentifier($0)) } + lists.linked
    lists.stored = stored
    compare(members)
    if lists.unlinked.isEmpty, !mayBeMoved { lists.stored = nil }
    return members
  }

  /// The members after other contexts changed the store's: additions and removals of both sides are applied, and pending
  /// changes stay pending.
  ///
  /// - Parameters:
  ///   - members: The members in memory.
  ///   - stored: The members that the store has now.
  ///   - hasLeft: Whether a pending change of a member unlinked it.
  func merged(_ members: [AnyObject], with stored: [AnyObject], hasLeft: (AnyObject) -> Bool) -> [AnyObject] {
    let base = lists.stored ?? saved(among: members)
    let (known, current) = (Self.identities(base), Self.identities(members))
    let theirs = stored.filter { member in
      let identity = ObjectIdentifier(member)
      return known.contains(identity) || current.contains(identity) || !hasLeft(member)
    }
    // A member that this context linked, and that another context had linked before without a change notification, occurs
    // twice.
    let mine = current.count == members.count ? members : Self.lastPositions(members)
    let merged = OrderedMerge.merge(
      base: base, mine: mine, theirs: theirs, isMineFirst: false, identity: ObjectIdentifier.init)
    lists.stored = stored
    compare(merged)
    return merged
  }

  /// The members that get new positions before and behind the members that keep their stored ones; nil when only linked members
  /// were appended.
  ///
  /// - Parameter members: All members; nil when they are not read.
  func moved(among members: [AnyObject]?) -> (first: ArraySlice<AnyObject>, last: ArraySlice<AnyObject>)? {
    guard mayBeMoved, let members else { return nil }
    let kept = lists.stored.map { Self.longestRun(of: members, inOrderOf: $0) } ?? 0..<0
    return (members[..<kept.lowerBound], members[kept.upperBound...])
  }

  /// The longest run of members that is in the order of the store.
  private static func longestRun(of members: [AnyObject], inOrderOf stored: [AnyObject]) -> Range<Int> {
    if let run = stored.run(to: members)?.positions, members.count > stored.count {
      let (before, after) = (0..<run.lowerBound, run.upperBound..<members.count)
      return before.count < after.count ? after : before
    }
    var ranks = [ObjectIdentifier: Int](minimumCapacity: stored.count)
    for (rank, member) in stored.enumerated() { ranks[ObjectIdentifier(member)] = rank }
    var (longest, run) = (0..<0, 0..<0)
    var last = -1
    for (position, member) in members.enumerated() {
      guard let rank = ranks[ObjectIdentifier(member)] else {
        run = position + 1..<position + 1
        last = -1
        continue
      }
      run = rank > last ? run.lowerBound..<position + 1 : position..<position + 1
      last = rank
      if run.count > longest.count { longest = run }
    }
    return longest
  }

  /// Computes the changes again, from the members after the change.
  private func compare(_ members: [AnyObject]) {
    let stored = lists.stored ?? []
    let (known, current) = (Self.identities(stored), Self.identities(members))
    lists.linked = members.filter { !known.contains(ObjectIdentifier($0)) }
    lists.unlinked = stored.filter { !current.contains(ObjectIdentifier($0)) }
    mayBeMoved = !Self.isInOrder(members, of: stored, known, current)
  }

  /// Copies the order of the store, while it can be derived from the members.
  private func copyOrder(of members: [AnyObject]) {
    if lists.stored == nil { lists.stored = saved(among: members) }
  }

  /// The members that the store has, in its order. Valid while none was unlinked or moved: linked members are at the end.
  private func saved(among members: [AnyObject]) -> [AnyObject] {
    if lists.linked.isEmpty { return members }
    let linked = Self.identities(lists.linked)
    return members.filter { !linked.contains(ObjectIdentifier($0)) }
  }

  /// Each model once, at its last position.
  private static func lastPositions(_ models: [AnyObject]) -> [AnyObject] {
    var seen = Set<ObjectIdentifier>(minimumCapacity: models.count)
    return models.reversed().filter { seen.insert(ObjectIdentifier($0)).inserted }.reversed()
  }

  private static func identities(_ models: [AnyObject]) -> Set<ObjectIdentifier> {
    var identities = Set<ObjectIdentifier>(minimumCapacity: models.count)
    for model in models { identities.insert(ObjectIdentifier(model)) }
    return identities
  }

  /// Whether the remaining members have the order that they had before, with new members behind them.
  ///
  /// - Parameters:
  ///   - known: The members before.
  ///   - current: The members now.
  private static func isInOrder(
    _ members: [AnyObject], of before: [AnyObject], _ known: Set<ObjectIdentifier>, _ current: Set<ObjectIdentifier>
  ) -> Bool {
    var position = 0
    for member in before where current.contains(ObjectIdentifier(member)) {
      guard position < members.count, members[position] === member else { return false }
      position += 1
    }
    return members[position...].allSatisfy { !known.contains(ObjectIdentifier($0)) }
  }
}
