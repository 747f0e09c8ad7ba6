import Foundation

/// An object that each thread has its own of, until it replaces it or ends.
final class ThreadLocal<Object: AnyObject>: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { object in
      #if canImport(Darwin)
        Unmanaged<AnyObject>.fromOpaque(object).release()
      #else
        if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
      #endif
    }
    // There are 1,024 keys in a process, and this is asked for a fixed number.
    precondition(result == 0, "no key for a thread's own object is left")
    self.key = key
  }

  deinit {
    pthread_key_delete(key)
  }

  var object: Object? {
    get { reference?.takeUnretainedValue() }
    set {
      // Released last: what goes with it may run code that comes back here.
      let old = reference
      pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) })
      old?.release()
    }
  }

  /// The same, without counting a reference.
  var reference: Unmanaged<Object>? {
    pthread_getspecific(key).map { Unmanaged.fromOpaque($0) }
  }
}
