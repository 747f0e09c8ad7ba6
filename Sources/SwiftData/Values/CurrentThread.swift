import Foundation

/// Tells the thread that asks from all others that are there.
enum CurrentThread {
  static var number: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }
}
