/// An encoder that records only the keys of the top level.
struct RecordingEncoder: Encoder {
  let recorder: CodingRecorder

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    recorder.openKeyedContainer()
    return KeyedEncodingContainer(KeyedContainer<Key>(recorder: recorder))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    recorder.recordIrregularity()
    return Sink()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    recorder.recordIrregularity()
    return Sink()
  }

  private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let recorder: CodingRecorder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
      recorder.request(key, Never?.self)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
      recorder.request(key, Value.self)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      recorder.recordIrregularity()
      return KeyedEncodingContainer(KeyedContainer<NestedKey>(recorder: recorder))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      recorder.recordIrregularity()
      return Sink()
    }

    func superEncoder() -> any Encoder {
      recorder.recordIrregularity()
      return RecordingEncoder(recorder: recorder)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
      superEncoder()
    }
  }

  /// Discards the values of a type whose coding is irregular.
  private struct Sink: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) {}

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      KeyedEncodingContainer(KeyedContainer<Key>(recorder: CodingRecorder()))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      Sink()
    }

    func superEncoder() -> any Encoder {
      RecordingEncoder(recorder: CodingRecorder())
    }
  }
}
