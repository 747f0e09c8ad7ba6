/// What the storage of a to-many holds, whatever its type.
@frozen
public struct _ToManyContent {
  @usableFromInline var state: ToManyState?
  /// Whether there are no members; most new models have none, and need no state for that.
  @usableFromInline var isKnownEmpty: Bool

  @inlinable
  init() {
    state = nil
    isKnownEmpty = false
  }

  init(state: ToManyState) {
    self.state = state
    isKnownEmpty = false
  }

  init(members: [AnyObject]) {
    state = members.isEmpty ? nil : ToManyState(members: members)
    isKnownEmpty = members.isEmpty
  }

  init(oneSided members: [AnyObject]) {
    self.init(members: members)
    state?.markOneSided()
  }

  var isLoaded: Bool {
    isKnownEmpty || state?.isLoaded == true
  }

  /// All members in order; nil while the store was not asked.
  var members: [AnyObject]? {
    isKnownEmpty ? [] : state?.members
  }
}
