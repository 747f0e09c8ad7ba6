internal import CShims

/// A weak reference. One of Swift's own would give the object a table beside it, and each reference that somebody
/// counts would take a detour to there.
struct UncountedReference<Object: AnyObject> {
  /// Keeps the memory of the object, though not the object, for as long as there is the reference.
  private unowned var memory: Object?
  private var reference: Unmanaged<Object>?

  init() {}

  init(_ object: Object) {
    memory = object
    reference = .passUnretained(object)
  }

  /// The object, unless it is gone or about to go.
  var object: Object? {
    guard let reference, swift_tryRetain(reference.toOpaque()) != nil else { return nil }
    return reference.takeRetainedValue()
  }
}
