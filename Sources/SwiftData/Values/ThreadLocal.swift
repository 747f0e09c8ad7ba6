import Foundation

/// An object for each thread, which the thread retains until it replaces it or ends.
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
    // A process has 1,024 keys, and the library uses a fixed number of them.
    precondition(result == 0, "no key for a thread's own object is left")
    self.key = key
  }

  deinit {
    pthread_key_delete(key)
  }

  var object: Object? {
    get { reference?.takeUnretainedValue() }
    set {
      // Released last, because the release may run code that uses this property.
      let old = reference
      pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) })
      old?.release()
    }
  }

  /// The object without a retain.
  var reference: Unmanaged<Object>? {
    pthread_getspecific(key).map { Unmanaged.fromOpaque($0) }
  }
}
