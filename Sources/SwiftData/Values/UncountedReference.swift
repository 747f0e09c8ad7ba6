internal import CShims

/// A weak reference. Swift's own weak references allocate a side table for the object, which makes each later retain
/// slower.
struct UncountedReference<Object: AnyObject> {
  /// Keeps the memory of the object, but not the object, as long as the reference exists.
  private unowned var memory: Object?
  private var reference: Unmanaged<Object>?

  init() {}

  init(_ object: Object) {
    memory = object
    reference = .passUnretained(object)
  }

  /// The object; nil if it is deinitialized or about to be.
  var object: Object? {
    guard let reference, swift_tryRetain(reference.toOpaque()) != nil else { return nil }
    return reference.takeRetainedValue()
  }
}
