import Foundation
import Support

/// One encoded value of each type that has no placeholder, such as an enum whose own decoding refuses made-up values. It is
/// the value of a property whose row is deleted.
enum FallbackValues {
  /// Makes a new value each time, so that no two models share one. Unchecked: types, data and transformers do not change.
  private struct Maker: @unchecked Sendable {
    let make: () -> Any?
  }

  private static let makers = Mutex<[ObjectIdentifier: Maker]>([:])

  /// Records a value if it is the first of its type.
  static func record<Value>(_ value: Value) {
    guard isNew(Value.self), let encodable = value as? any Encodable, let type = Value.self as? any Decodable.Type,
      let data = try? StoredJSON.makeEncoder().encode(encodable)
    else { return }
    let maker = Maker { try? StoredJSON.makeDecoder().decode(type, from: data) }
    makers.withLock { $0[ObjectIdentifier(Value.self)] = maker }
  }

  /// Records the transformed data of a value if it is the first of its type.
  static func record<Value>(_ type: Value.Type, _ data: Data, _ transformer: TransformerReference) {
    guard isNew(type) else { return }
    makers.withLock { $0[ObjectIdentifier(type)] = Maker { transformer.value(for: data) } }
  }

  private static func isNew(_ type: Any.Type) -> Bool {
    makers.withLock { $0[ObjectIdentifier(type)] == nil }
  }

  static func recorded<Value>(_ type: Value.Type) -> Value? {
    makers.withLock { $0[ObjectIdentifier(type)] }?.make() as? Value
  }
}
