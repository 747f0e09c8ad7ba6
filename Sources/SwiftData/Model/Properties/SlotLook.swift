import Foundation

/// Whether the slot of an attribute has a value, asked without knowing its type.
enum SlotLook {
  typealias Look = @Sendable (UnsafeRawPointer) -> Bool

  static func look<Value>(at type: Value.Type) -> Look {
    known[ObjectIdentifier(type)] ?? { $0.assumingMemoryBound(to: _AttributeSlot<Value>.self).pointee.isLoaded }
  }

  /// The looks at common types, compiled for each: for any other type the runtime looks up its optional every time.
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
