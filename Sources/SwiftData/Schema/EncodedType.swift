import Foundation

/// A type in a schema file: its name, and the type itself when it is a primitive one.
struct EncodedType: Codable {
  /// The placeholder for a type that a schema file names and this program does not look up.
  enum Unknown {}

  let name: String
  let type: Any.Type

  init(name: String, type: Any.Type) {
    self.name = name
    self.type = type
  }

  init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
    type = Self.types[name] ?? (name.hasPrefix("Optional<") ? Unknown?.self : Unknown.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  private static let types: [String: Any.Type] = {
    let primitives: [any _PrimitiveValue.Type] = [
      String.self, Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, Float.self, Double.self, Decimal.self, Date.self, UUID.self, Data.self,
      URL.self,
    ]
    var types: [String: Any.Type] = [:]
    func add<Value>(_ type: Value.Type) {
      for type in [Value.self, Value?.self, [Value].self, [Value]?.self] as [Any.Type] {
        types[Schema.simpleName(of: type)] = type
      }
    }
    for type in primitives { add(type) }
    return types
  }()
}
