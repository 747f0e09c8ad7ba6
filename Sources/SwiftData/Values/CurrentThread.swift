import Foundation

/// Identifies the current thread among all threads that exist.
enum CurrentThread {
  static var number: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }
}
