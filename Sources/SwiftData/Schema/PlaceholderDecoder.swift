/// A decoder that answers every request with a placeholder value.
///
/// It makes a value of an unknown type, and records the requests of the type's `init(from:)`.
struct PlaceholderDecoder: Decoder {
  let recorder: CodingRecorder?
  let depth: Int
  /// The size of the type that is decoded.
  let size: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Limits the recursion for types that contain themselves.
  static let maximumDepth = 12

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    recorder?.openKeyedContainer()
    return KeyedDecodingContainer(PlaceholderKeyedContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    recorder?.recordIrregularity()
    return PlaceholderUnkeyedContainer(decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    recorder?.recordIrregularity()
    return self
  }

  func value<Value>(_ type: Value.Type) throws -> Value {
    guard let value = Placeholder.value(of: type, depth: depth + 1) else { throw TrialEnded() }
    return value
  }

  /// The decoder of a nested value, whose requests are not recorded.
  var nested: PlaceholderDecoder {
    get throws {
      recorder?.recordIrregularity()
      guard depth < Self.maximumDepth else { throw TrialEnded() }
      return PlaceholderDecoder(recorder: nil, depth: depth + 1, size: 0)
    }
  }
}

extension PlaceholderDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try value(type)
  }
}

/// A container that is empty, so that collections end, but answers a request with a placeholder value.
struct PlaceholderUnkeyedContainer: UnkeyedDecodingContainer {
  let decoder: PlaceholderDecoder

  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.value(type)
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try decoder.nested.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder.nested.unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try decoder.nested
  }
}
