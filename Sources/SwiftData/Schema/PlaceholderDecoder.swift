/// What a type asked for while it was decoded.
final class CodingRecording {
  var keys: Set<String> = []
  var isKeyed = false
  /// Whether it asked for anything but one container of keys with values.
  var isOther = false
}

/// Decodes anything that is content with placeholders, and records what it asks for.
struct PlaceholderDecoder: Decoder {
  let recording: CodingRecording?
  var depth = 0

  private struct NoValue: Error {}

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    recording?.isKeyed = true
    return KeyedDecodingContainer(Keyed(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    recording?.isOther = true
    throw NoValue()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    recording?.isOther = true
    return Single(decoder: self)
  }

  fileprivate func value<Value>(_ type: Value.Type) throws -> Value {
    guard let value = Placeholder.value(of: type, depth: depth + 1) else { throw NoValue() }
    return value
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: PlaceholderDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    private func record(_ key: Key) {
      decoder.recording?.keys.insert(key.stringValue)
    }

    func contains(_ key: Key) -> Bool {
      record(key)
      return true
    }

    func decodeNil(forKey key: Key) throws -> Bool {
      record(key)
      return true
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      record(key)
      return try decoder.value(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      decoder.recording?.isOther = true
      throw NoValue()
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      decoder.recording?.isOther = true
      throw NoValue()
    }

    func superDecoder() throws -> any Decoder {
      decoder.recording?.isOther = true
      throw NoValue()
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
      try superDecoder()
    }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: PlaceholderDecoder

    var codingPath: [any CodingKey] { [] }
    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
  }
}
