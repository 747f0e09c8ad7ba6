/// Encodes a struct into the columns of its fields.
///
/// A struct is only stored in this way after a test has found one key for each stored property, so the forms refused here
/// come from an `encode(to:)` that does not match its `init(from:)`.
struct CompositeEncoder: Encoder {
  let writer: ColumnWriter
  let fields: [ColumnCoding.Field]
  let column: Int32

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Container(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    refuse()
    return StoredJSON.discardedUnkeyed
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    refuse()
    return StoredJSON.discardedSingle
  }

  fileprivate func refuse() {
    writer.refused = true
  }

  private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: CompositeEncoder

    var codingPath: [any CodingKey] { [] }

    // Columns are null unless they are written.
    func encodeNil(forKey key: Key) throws {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      guard let field = encoder.fields.first(where: { $0.name == key.stringValue }) else {
        throw EncodingError.invalidValue(
          value, .init(codingPath: [key], debugDescription: "\(key.stringValue) is no stored property"))
      }
      try encoder.writer.encode(value, field.coding, encoder.column + Int32(field.offset))
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      encoder.refuse()
      return StoredJSON.discardedKeyed()
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.refuse()
      return StoredJSON.discardedUnkeyed
    }

    func superEncoder() -> any Encoder {
      encoder.refuse()
      return DiscardingEncoder()
    }

    func superEncoder(forKey key: Key) -> any Encoder {
      superEncoder()
    }
  }
}

/// Discards the rest of an encoding that was refused.
private struct DiscardingEncoder: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed())
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func encodeNil() throws {}
  func encode<T: Encodable>(_ value: T) throws {}

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(Keyed())
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { self }

  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    func encodeNil(forKey key: Key) throws {}
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {}

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      KeyedEncodingContainer(Keyed<NestedKey>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { DiscardingEncoder() }
    func superEncoder() -> any Encoder { DiscardingEncoder() }
    func superEncoder(forKey key: Key) -> any Encoder { DiscardingEncoder() }
  }
}

extension StoredJSON {
  fileprivate static var discardedUnkeyed: any UnkeyedEncodingContainer { DiscardingEncoder() }
  fileprivate static var discardedSingle: any SingleValueEncodingContainer { DiscardingEncoder() }

  fileprivate static func discardedKeyed<Key: CodingKey>() -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(DiscardingEncoder.Keyed<Key>())
  }
}
