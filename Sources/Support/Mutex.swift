// The standard library's mutex is not instrumented for the thread sanitizer, which reports everything that it guards as a race.
// A build for the sanitizer (`-D THREAD_SANITIZER`) uses a POSIX mutex instead.
#if !THREAD_SANITIZER
  package import Synchronization

  package typealias Mutex = Synchronization.Mutex
#else
  import Foundation

  package struct Mutex<Value: ~Copyable>: ~Copyable {
    private let storage: MutexStorage<Value>

    package init(_ value: consuming sending Value) {
      storage = MutexStorage(value)
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(storage.mutex)
      defer { pthread_mutex_unlock(storage.mutex) }
      return try body(&storage.value)
    }
  }

  // `@unchecked Sendable` because the value is only accessed while the mutex is locked.
  extension Mutex: @unchecked Sendable where Value: ~Copyable {}

  private final class MutexStorage<Value: ~Copyable> {
    // Allocated separately, because a POSIX mutex must not move. It lives from `init` to `deinit`.
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    var value: Value

    init(_ value: consuming Value) {
      self.value = value
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }
  }
#endif
