/// A container that has every key; an optional value is nil.
struct PlaceholderKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PlaceholderDecoder

  var codingPath: [any CodingKey] { [] }

  /// An enum with associated values reads the name of its case from here. Keys of other types are dictionary keys.
  var allKeys: [Key] {
    decoder.recorder?.recordIrregularity()
    guard MetadataKind(of: Key.self) == .enum else { return [] }
    // An enum whose size is not zero has a case, and so has the enum of its coding keys.
    let key = Placeholder.zero(of: Key.self) ?? (decoder.size > 0 ? ZeroValue.onlyCase(of: Key.self) : nil)
    return key.map { [$0] } ?? []
  }

  func contains(_ key: Key) -> Bool {
    decoder.recorder?.recordIrregularity()
    return true
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    decoder.recorder?.recordIrregularity()
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    decoder.recorder?.request(key, type)
    return try decoder.value(type)
  }

  private func missing<Value>(_ type: Value.Type, _ key: Key) -> Value? {
    decoder.recorder?.request(key, Value?.self)
    return nil
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? { missing(type, key) }

  // The protocol has a default implementation for each of these types, which would make two requests.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { missing(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { missing(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { missing(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { missing(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { missing(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { missing(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { missing(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { missing(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { missing(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { missing(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { missing(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { missing(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { missing(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { missing(type, key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.nested.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.nested.unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try decoder.nested
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try decoder.nested
  }
}
