import Synchronization

/// A reference that is set once, by the first thread that does so, and then read without a lock.
///
/// The standard library's `AtomicLazyReference` is not specialized for its object's type, and looks it up at each read.
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable {
  /// The address of an object that `setIfEmpty` retained and `deinit` releases; zero before.
  private let bits = Atomic<Int>(0)

  deinit {
    Self.reference(bits.load(ordering: .acquiring))?.release()
  }

  private static func reference(_ bits: Int) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
  }

  var object: Object? {
    reference?.takeUnretainedValue()
  }

  /// The object without a retain, valid as long as this exists.
  var reference: Unmanaged<Object>? {
    Self.reference(bits.load(ordering: .acquiring))
  }

  /// Sets the reference unless another thread has.
  ///
  /// - Returns: The object that was set.
  func setIfEmpty(_ object: Object) -> Object {
    let reference = Unmanaged.passRetained(object)
    let (isSet, kept) = bits.compareExchange(
      expected: 0, desired: Int(bitPattern: reference.toOpaque()), ordering: .acquiringAndReleasing)
    if isSet { return object }
    reference.release()
    return Self.reference(kept)?.takeUnretainedValue() ?? object
  }
}
