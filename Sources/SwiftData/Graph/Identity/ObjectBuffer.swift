/// Collects the objects of a large result, in order. An array checks for each append whether it is uniquely referenced,
/// which takes longer than the append.
struct ObjectBuffer: ~Copyable {
  private var capacity: Int
  private var count = 0
  /// The first `count` objects are initialized, and retained here.
  private var objects: UnsafeMutablePointer<AnyObject>

  init() {
    capacity = 16
    objects = .allocate(capacity: capacity)
  }

  deinit {
    objects.deinitialize(count: count)
    objects.deallocate()
  }

  @inline(__always)
  mutating func append(_ object: consuming AnyObject) {
    if count == capacity { grow() }
    (objects + count).initialize(to: object)
    count &+= 1
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<AnyObject>.allocate(capacity: 2 * capacity)
    larger.moveInitialize(from: objects, count: count)
    objects.deallocate()
    objects = larger
    capacity *= 2
  }

  /// Moves the objects out of the buffer.
  mutating func take() -> [AnyObject] {
    // The standard library would write the count into the storage that all empty arrays share.
    if count == 0 { return [] }
    let (objects, count) = (objects, count)
    self.count = 0
    return Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
      buffer.baseAddress?.moveInitialize(from: objects, count: count)
      initializedCount = count
    }
  }
}
