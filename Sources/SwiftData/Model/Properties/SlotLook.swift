import Foundation

/// Whether the slot of an attribute has a value, for callers that do not know its type.
enum SlotLook {
  typealias Look = @Sendable (UnsafeRawPointer) -> Bool

  static func look<Value>(at type: Value.Type) -> Look {
    known[ObjectIdentifier(type)] ?? { $0.assumingMemoryBound(to: _AttributeSlot<Value>.self).pointee.isLoaded }
  }

  /// Specialized closures for common types: for any other type the runtime looks up the optional's metadata at each call.
  private static let known: [ObjectIdentifier: Look] = Dictionary(uniqueKeysWithValues: [
    entry(Bool.self), entry(Bool?.self), entry(Data.self), entry(Data?.self), entry(Date.self), entry(Date?.self),
    entry(Decimal.self), entry(Decimal?.self), entry(Double.self), entry(Double?.self), entry(Int.self),
    entry(Int?.self), entry(String.self), entry(String?.self), entry(UUID.self), entry(UUID?.self),
  ])

  @inline(__always)
  private static func entry<Value>(_ type: Value.Type) -> (ObjectIdentifier, Look) {
    (ObjectIdentifier(type), { $0.assumingMemoryBound(to: _AttributeSlot<Value>.self).pointee.isLoaded })
  }
}
