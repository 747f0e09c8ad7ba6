/// The content of a to-many's storage, independent of its type.
@frozen
public struct _ToManyContent {
  @usableFromInline var state: ToManyState?
  /// Whether there are no members. Most new models have none, and need no state object.
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

  /// All members in order; nil while they are not read.
  var members: [AnyObject]? {
    isKnownEmpty ? [] : state?.members
  }
}
